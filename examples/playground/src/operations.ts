import type { FleetOperationId } from "shelfleet";
import type { OperationId } from "shelfleet/mock";
import { operations as documented } from "virtual:operations";
import type { Operation as Documented } from "../build/operation.ts";

/** An operation of an OpenAPI document, with its ID as a literal type. */
export interface Operation extends Documented {
  id: OperationId;
}

/** The operations of one resource of a client, in the contract's order. */
export interface Resource {
  client: "store" | "fleet";
  name: string;
  operations: Operation[];
}

/** All operations of both APIs, store before fleet. */
export const operations: readonly Operation[] = documented as Operation[]; // the documents and the package have the same IDs

/** The operations as the clients group them. */
export const resources: readonly Resource[] = grouped();

function grouped(): Resource[] {
  const found = new Map<string, Resource>();
  for (const operation of operations) {
    const [name = ""] = operation.call.split(".");
    const resource = found.get(name) ?? { client: operation.api, name, operations: [] };
    found.set(name, resource);
    resource.operations.push(operation);
  }
  return [...found.values()];
}

export function findOperation(id: string): Operation | undefined {
  return operations.find((operation) => operation.id === id);
}

/** Whether the response of an operation has pages. */
export function isList({ call }: Operation): boolean {
  return call.split(".")[1]?.startsWith("list") === true;
}

export function isFleet(id: OperationId): id is FleetOperationId {
  return findOperation(id)?.api === "fleet";
}
