// The type machinery of declared scopes: it reads the generated scope table.

import type { FleetMethods, FleetOperationId, fleetOperations } from "../../generated/fleet.operations.ts";
import type { Scope } from "../../generated/fleet.ts";

/** A resource as a client with the scopes `Granted` shows it: in place of a method that they forbid stands why. */
export type Gated<Granted extends Scope, Name extends keyof FleetMethods, Resource> = {
  readonly [M in keyof Resource]: [Scope] extends [Granted]
    ? Resource[M]
    : M extends keyof FleetMethods[Name]
      ? Gate<Granted, FleetMethods[Name][M], Resource[M]>
      : Resource[M];
};

type Gate<Granted extends Scope, Operation, Method> = Operation extends FleetOperationId
  ? Opens<Operation> & Granted extends never
    ? Forbidden<Reason<Operation>>
    : Method
  : Method;

type Entry<Operation extends FleetOperationId> = (typeof fleetOperations)[Operation]["scopes"];

/** The scopes that may open an operation: those of the table and the text, and what gaps add. */
type Opens<Operation extends FleetOperationId> = WithWrite<
  | Entry<Operation>["table"][number]
  | Entry<Operation>["prose"][number]
  // gap scopes.field-vehicles
  | (Operation extends "listVehicleFieldVehicles" ? Entry<"listVehicleFields">["prose"][number] : never)
>;

/** gap scopes.implications: a write scope may include the read scope of its resource. */
type WithWrite<S extends string> = S | (S extends `${infer Resource}:read` ? `${Resource}:write` : never);

declare const why: unique symbol;

/** Stands in the place of a method that the declared scopes forbid: the compiler quotes the reason to whoever calls it. */
export interface Forbidden<Why extends string> {
  readonly [why]: Why;
}

type Reason<Operation extends FleetOperationId> =
  `${Operation} needs the scope ${Words<[...Entry<Operation>["table"], ...Entry<Operation>["prose"]]>}, which this client was not given`;

type Words<Scopes extends readonly string[]> = Scopes extends [
  infer First extends string,
  ...infer Rest extends [string, ...string[]],
]
  ? `${First} or ${Words<Rest>}`
  : Scopes[number];
