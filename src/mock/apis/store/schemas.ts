import { type StoreOperationId, storeOperations } from "../../../../generated/store.operations.ts";
import * as schemas from "../../../../generated/store.schemas.ts";
import { storeContract } from "../../../../generated/store.contract.ts";
import type { RequestSchemas } from "../../server/api.ts";
import type { MockReadings } from "../../server/readings.ts";
import { requestSchemas } from "../../server/request-schemas.ts";
import { namesOf } from "../../../wire/names.ts";

const ids = namesOf(storeOperations);

const openSchemas = requestSchemas(ids, schemas);
const closedSchemas = requestSchemas(ids, schemas, storeContract);

/** Returns the schemas of the query and the body of an operation. gap requests.unlisted-values */
export function storeSchemas(operation: StoreOperationId, readings: MockReadings): RequestSchemas {
  const known = readings["requests.unlisted-values"] === "rejected" ? closedSchemas : openSchemas;
  return known[operation];
}
