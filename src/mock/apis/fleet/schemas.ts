import * as schemas from "../../../../generated/fleet.schemas.ts";
import { type FleetOperationId, fleetOperations } from "../../../../generated/fleet.operations.ts";
import type { RequestSchemas } from "../../server/api.ts";
import { requestSchemas } from "../../server/request-schemas.ts";
import { namesOf } from "../../../wire/names.ts";

/** The schemas of the query and the body of each operation. */
export const fleetSchemas: Readonly<Record<FleetOperationId, RequestSchemas>> = requestSchemas(
  namesOf(fleetOperations),
  schemas,
);
