// The type machinery of declared scopes: it reads the generated scope table.

import type { FleetMethods, FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import type { Scope } from "../../../generated/fleet.ts";

/** The type of a resource in a client with the scopes `Granted`: a forbidden method is replaced with the reason. */
export type Gated<Granted extends Scope, Name extends keyof FleetMethods, Resource> = [Scope] extends [
  Granted,
]
  ? Readonly<Resource>
  : {
      readonly [M in keyof Resource]: M extends keyof FleetMethods[Name]
        ? Gate<Granted, FleetMethods[Name][M], Resource[M]>
        : Resource[M];
    };

type Gate<Granted extends Scope, Operation, Method> = Operation extends FleetOperationId
  ? SufficientScope<Operation> & Granted extends never
    ? Forbidden<Reason<Operation>>
    : Method
  : Method;

type Entry<Operation extends FleetOperationId> = (typeof fleetOperations)[Operation]["scopes"];

/** The scopes that may permit an operation: those of the table and the text, and those that gaps add. */
type SufficientScope<Operation extends FleetOperationId> = WithWrite<
  | Entry<Operation>["table"][number]
  | Entry<Operation>["prose"][number]
  // gap scopes.field-vehicles
  | (Operation extends "listVehicleFieldVehicles" ? Entry<"listVehicleFields">["prose"][number] : never)
>;

/** gap scopes.implications: a write scope may include the read scope of its resource. */
type WithWrite<S extends string> = S | (S extends `${infer Resource}:read` ? `${Resource}:write` : never);

declare const why: unique symbol;

/** The type of a method that the declared scopes forbid. The compiler quotes the reason where the method is called. */
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
