import {
  zDamage,
  zInspection,
  zInspectionTemplate,
  zVehicleField,
} from "../../../../generated/fleet.schemas.ts";
import { type FleetOperationId, fleetOperations } from "../../../../generated/fleet.operations.ts";
import type { Operation } from "../../../wire/operation.ts";
import type { MockReadings } from "../../server/readings.ts";
import type { FleetResource } from "./data.ts";
import type { UnknownInput } from "../../server/api.ts";
import type { UncheckedQuery } from "../../http/query.ts";
import { unknownParameterIssue, unknownPropertyIssue } from "../../server/unknown-input.ts";
import { isObject } from "../../../wire/json.ts";
import { isUndocumentedList } from "./page.ts";

/*
 * The contract gives only method and path of some operations. The property names that the reference server uses in
 * their bodies are invented: names from other responses of the contract, and a few new ones. They are documented in
 * docs/mock-data.md, "Invented names". The reading `opaque` of gap fleet.input-shapes does not use them.
 */

/** The properties that the body of a write may have, by resource. gap fleet.unknown-properties */
export const bodyProperties: Readonly<Record<Exclude<FleetResource, "vehicleFields">, readonly string[]>> = {
  vehicles: Object.keys(zInspection.shape.vehicles.def.element.shape),
  vehicleGroups: Object.keys(zVehicleField.shape.groups.def.element.shape),
  inspections: [...Object.keys(zInspection.shape), "vehicleIds"],
  inspectionTemplates: [...Object.keys(zInspectionTemplate.shape), "groupIds"],
  damages: [...Object.keys(zDamage.shape), "inspectionId"],
  driverAssignments: ["id", "vehicleId", "driver", "driverId", "assignedAt", "note"],
};

/** The property of a PATCH body that contains the changes. gap fleet.patch */
export const CHANGES = "changes";

/** A resource whose operations take bodies. */
export type WrittenResource = keyof typeof bodyProperties;

/** Returns the properties that the body of an operation may have; `undefined` if it has no request body. */
function bodyPropertiesOf(operation: FleetOperationId): readonly string[] | undefined {
  const { path, method } = fleetOperations[operation];
  if (method === "GET" || method === "DELETE") return undefined;
  const [, segment = ""] = path.split("/");
  const resource = segment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const byResource: Readonly<Record<string, readonly string[]>> = bodyProperties;
  return byResource[resource];
}

/** Returns the names of the query parameters of an operation under the readings in force. */
function queryParametersOf(operation: FleetOperationId, readings: MockReadings): string[] {
  const entry: Operation = fleetOperations[operation];
  const byGap: Readonly<Record<string, string>> = readings;
  return Object.entries(entry.query ?? {}).map(([name, { nameGap }]) =>
    nameGap === undefined ? name : (byGap[nameGap] ?? name),
  );
}

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
