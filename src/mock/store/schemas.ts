import * as schemas from "../../../generated/store.schemas.ts";
import * as strictSchemas from "../../../generated/store.strict-schemas.ts";
import { type StoreOperationId, storeOperations } from "../../../generated/store.operations.ts";
import type { RequestSchemas } from "../api.ts";
import { requestSchemas } from "../request-schemas.ts";

/** What each operation's query and body have to meet. */
export const storeSchemas: Readonly<Record<StoreOperationId, RequestSchemas>> = requestSchemas(
  Object.keys(storeOperations) as StoreOperationId[],
  { ...schemas, ...strictSchemas },
);
