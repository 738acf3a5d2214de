import { scopes as known } from "../../../generated/fleet.enums.ts";
import {
  type FleetMethods,
  type FleetOperationId,
  fleetOperations,
} from "../../../generated/fleet.operations.ts";
import type { Scope } from "../../../generated/fleet.ts";

/** The contract's statement about the scopes of an operation. */
export interface ScopeEntry {
  /** `all`: every scope is needed. `any`: one of them suffices. `disputed`: the contract's table and text disagree. */
  readonly rule: "all" | "any" | "disputed";
  readonly table: readonly Scope[];
  readonly prose: readonly Scope[];
  /** The gap that leaves it open. */
  readonly gap?: string;
}

/** The operations that a key can call. */
export interface ScopeCheck {
  /** Operations that the key can call under every reading. */
  allowed: FleetOperationId[];
  /** Operations that the key can call under some readings: only the server knows. */
  disputed: FleetOperationId[];
  /** Operations that the key cannot call under any reading. */
  forbidden: FleetOperationId[];
}

/** The scope rules of the contract. Its methods send nothing. */
export class Scopes {
  /**
   * Groups the operations by whether a key with these scopes can call them. Scopes that the contract does not name
   * permit no operation.
   * @example const { allowed, disputed, forbidden } = fleet.scopes.check(["vehicles:read", "damages:read"]);
   */
  check(scopes: readonly (Scope | (string & {}))[]): ScopeCheck {
    const sorted: ScopeCheck = { allowed: [], disputed: [], forbidden: [] };
    const granted = new Set<string>(known.filter((scope) => scopes.includes(scope)));
    // the table has no other keys
    for (const operation of Object.keys(fleetOperations) as FleetOperationId[])
      sorted[judge(fleetOperations[operation].scopes, granted)].push(operation);
    return sorted;
  }
}

function judge(entry: ScopeEntry, granted: ReadonlySet<string>): keyof ScopeCheck {
  const { rule, table } = entry;
  const others = otherScopes(entry);
  const has = (scope: Scope): boolean => granted.has(scope);
  // a write scope may include the read scope of its resource (gap scopes.implications)
  const mayHave = (scope: Scope): boolean => has(scope) || granted.has(scope.replace(/:read$/, ":write"));
  const isAllowed = {
    all: table.every(has),
    any: [...table, ...others].some(has),
    disputed: [...table, ...others].every(has),
  };
  if (isAllowed[rule]) return "allowed";
  return table.every(mayHave) || others.some(mayHave) ? "disputed" : "forbidden";
}

/** The scopes that permit an operation as well, or may do so: those of the text, or those of the list of fields. */
export function otherScopes({ prose, gap }: ScopeEntry): readonly Scope[] {
  return gap === "scopes.field-vehicles" ? fleetOperations.listVehicleFields.scopes.prose : prose;
}

/** The type of a resource in a client with the scopes `Granted`: a forbidden method is replaced with the reason. */
export type Gated<Granted extends Scope, Resources, Name extends keyof FleetMethods & keyof Resources> = [
  Scope,
] extends [Granted]
  ? Readonly<Resources[Name]>
  : {
      readonly [M in keyof Resources[Name]]: M extends keyof FleetMethods[Name]
        ? Gate<Granted, FleetMethods[Name][M], Resources[Name][M]>
        : Resources[Name][M];
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
