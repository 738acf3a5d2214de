import { type FleetOperationId, fleetOperations } from "../../../../generated/fleet.operations.ts";
import type { UnknownInput } from "../../server/api.ts";
import type { UncheckedQuery } from "../../http/query.ts";
import type { MockReadings } from "../../server/readings.ts";
import { unknownParameterIssue, unknownPropertyIssue } from "../../server/unknown-input.ts";
import { CHANGES, bodyPropertiesOf, queryParametersOf } from "./invented-properties.ts";
import { isObject } from "../../../wire/json.ts";
import { isUndocumentedList } from "./page.ts";

/** Returns the unknown query parameters and body properties. gaps fleet.unknown-properties, lists.unknown-filters */
export function findUnknownInput(
  operation: FleetOperationId,
  query: UncheckedQuery,
  body: unknown,
  readings: MockReadings,
): UnknownInput {
  const names = queryParametersOf(operation, readings);
  const parameters = Object.keys(query).filter((name) => !names.includes(name));
  const gap = isUndocumentedList(operation) ? "lists.unknown-filters" : "fleet.unknown-properties";
  const issues = parameters.map((name) => unknownParameterIssue(name, names));
  const properties = unknownProperties(operation, body, readings);
  const found = [
    { reading: readings[gap], issues },
    { reading: readings["fleet.unknown-properties"], issues: properties },
  ];
  const select = (isRejected: boolean) =>
    found.filter(({ reading }) => (reading === "rejected") === isRejected).flatMap((part) => part.issues);
  return { rejected: select(true), ignored: select(false) };
}

function unknownProperties(operation: FleetOperationId, body: unknown, readings: MockReadings) {
  // the names are invented, so a service with other names has unknown ones
  const known = readings["fleet.input-shapes"] === "opaque" ? undefined : bodyPropertiesOf(operation);
  const isOwnShape = fleetOperations[operation].method === "PATCH" && readings["fleet.patch"] === "own-shape";
  const value = isOwnShape && isObject(body) ? body[CHANGES] : body;
  if (known === undefined || !isObject(value)) return [];
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => unknownPropertyIssue(name, known));
}
