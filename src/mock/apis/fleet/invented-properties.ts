import { type FleetOperationId, fleetOperations } from "../../../../generated/fleet.operations.ts";
import type { Operation } from "../../../wire/operation.ts";
import type { MockReadings } from "../../server/readings.ts";
import type { FleetResource } from "./data.ts";

/*
 * The contract gives only method and path of some operations. The property names that the reference server uses in
 * their bodies are invented: names from other responses of the contract, and a few new ones. They are documented in
 * docs/mock-data.md, "Invented names". The reading `opaque` of gap fleet.input-shapes does not use them.
 */

/** The properties that the body of a write may have, by resource. gap fleet.unknown-properties */
export const bodyProperties: Readonly<Record<Exclude<FleetResource, "vehicleFields">, readonly string[]>> = {
  vehicles: ["id", "plateNumber", "brand", "model", "vin", "type"],
  vehicleGroups: ["id", "name"],
  inspections: [
    "id",
    "templateId",
    "template",
    "vehicleIds",
    "vehicles",
    "status",
    "performedAt",
    "performedBy",
    "location",
    "notes",
    "responses",
    "damages",
  ],
  inspectionTemplates: [
    "id",
    "title",
    "description",
    "version",
    "isActive",
    "groupIds",
    "items",
    "itemCount",
    "inspectionCount",
    "createdAt",
    "updatedAt",
  ],
  damages: [
    "id",
    "vehicleId",
    "vehicle",
    "inspectionId",
    "inspection",
    "description",
    "photoUrl",
    "status",
    "reportedAt",
    "reportedBy",
    "assignedTo",
    "repairedAt",
  ],
  driverAssignments: ["id", "vehicleId", "driver", "driverId", "assignedAt", "note"],
};

/** The property of a PATCH body that contains the changes. gap fleet.patch */
export const CHANGES = "changes";

/** A resource whose operations take bodies. */
export type WrittenResource = keyof typeof bodyProperties;

/** Returns the properties that the body of an operation may have; `undefined` if it has no request body. */
export function bodyPropertiesOf(operation: FleetOperationId): readonly string[] | undefined {
  const { path, method } = fleetOperations[operation];
  if (method === "GET" || method === "DELETE") return undefined;
  const [, segment = ""] = path.split("/");
  const resource = segment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return (bodyProperties as Readonly<Record<string, readonly string[]>>)[resource];
}

/** Returns the names of the query parameters of an operation under the readings in force. */
export function queryParametersOf(operation: FleetOperationId, readings: MockReadings): string[] {
  const entry: Operation = fleetOperations[operation];
  return Object.entries(entry.query ?? {}).map(([name, { nameGap }]) =>
    nameGap === undefined ? name : readings[nameGap as "templates.group-filter" | "templates.title-filter"],
  );
}
