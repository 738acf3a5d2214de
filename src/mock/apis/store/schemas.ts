import * as schemas from "../../../../generated/store.schemas.ts";
import * as strictSchemas from "../../../../generated/store.strict-schemas.ts";
import { type StoreOperationId, storeOperations } from "../../../../generated/store.operations.ts";
import type { RequestSchemas } from "../../kernel/api.ts";
import { requestSchemas } from "../../kernel/request-schemas.ts";

/** The schemas of the query and the body of each operation. */
export const storeSchemas: Readonly<Record<StoreOperationId, RequestSchemas>> = requestSchemas(
  Object.keys(storeOperations) as StoreOperationId[],
  { ...schemas, ...strictSchemas },
);
