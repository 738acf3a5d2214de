import { scopes as known } from "../../../generated/fleet.enums.ts";
import {
  type FleetMethods,
  type FleetOperationId,
  fleetOperations,
} from "../../../generated/fleet.operations.ts";
import type { Scope } from "../../../generated/fleet.ts";
import { ConfigurationError } from "../errors.ts";

/** A gap of the contract that concerns scopes; see `shelfleet/specs/gaps.yaml`. */
export type ScopeGap = "scopes.list-templates" | "scopes.get-damage" | "scopes.field-vehicles";

/** The contract's statement about the scopes of an operation. */
export interface ScopeEntry {
  /** `all`: every scope is needed. `any`: one of them suffices. `disputed`: the contract's table and text disagree. */
  readonly rule: "all" | "any" | "disputed";
  readonly table: readonly Scope[];
  readonly prose: readonly Scope[];
  /** The gaps that leave it open. */
  readonly gap?: ScopeGap;
}

/** The scopes that permit an operation. Contract: fleet 5, Scopes. */
export interface ScopeNeed {
  /** Lists of scopes, each of which is sufficient under every reading of the contract. */
  sufficient: readonly (readonly Scope[])[];
  /**
   * Scopes that are sufficient under some readings of the contract, and not under others. A write scope may include the
   * read scope of its resource (gap `scopes.implications`).
   */
  possiblySufficient: readonly Scope[];
  entry: ScopeEntry;
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
   * Returns the scopes that permit an operation.
   * @throws {ConfigurationError} if no operation has this ID
   */
  for(operation: FleetOperationId): ScopeNeed {
    return needOf(operation);
  }

  /**
   * Groups the operations by whether a key with these scopes can call them. Scopes that the contract does not name
   * permit no operation.
   * @example const { allowed, disputed, forbidden } = fleet.scopes.check(["vehicles:read", "damages:read"]);
   */
  check(scopes: readonly (Scope | (string & {}))[]): ScopeCheck {
    const sorted: ScopeCheck = { allowed: [], disputed: [], forbidden: [] };
    // the table has no other keys
    for (const operation of Object.keys(fleetOperations) as FleetOperationId[]) {
      const { sufficient, possiblySufficient } = needOf(operation);
      const sure = sufficient.some((all) => all.every((scope) => scopes.includes(scope)));
      const possible = possiblySufficient.some((scope) => scopes.includes(scope));
      const otherwise = possible ? "disputed" : "forbidden";
      sorted[sure ? "allowed" : otherwise].push(operation);
    }
    return sorted;
  }
}

/** Returns the scopes that an operation needs, under every reading of every gap. */
export function needOf(operation: FleetOperationId): ScopeNeed {
  if (!Object.hasOwn(fleetOperations, operation)) {
    throw new ConfigurationError(`scopes: there is no operation ${JSON.stringify(operation)}`);
  }
  const entry: ScopeEntry = fleetOperations[operation].scopes;
  const { rule, table, prose, gap } = entry;
  const named = [...table, ...prose];
  const sufficient = rule === "any" ? named.map((scope) => [scope]) : [named];
  const possible = [...(rule === "disputed" ? named : []), ...extraScopes(gap)];
  const implied = [...named, ...possible].flatMap(writeScope);
  const enough = new Set(sufficient.filter((all) => all.length === 1).flat());
  const possiblySufficient = [...new Set([...possible, ...implied])].filter((scope) => !enough.has(scope));
  return { sufficient, possiblySufficient, entry };
}

/** The scopes that may permit the vehicles of a field, because they permit the fields. */
function extraScopes(gap: ScopeGap | undefined): readonly Scope[] {
  return gap === "scopes.field-vehicles" ? fleetOperations.listVehicleFields.scopes.prose : [];
}

/** The write scope that may include a read scope (gap scopes.implications). */
function writeScope(scope: Scope): Scope[] {
  const write = scope.replace(/:read$/, ":write");
  return known.filter((candidate) => candidate === write);
}

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
