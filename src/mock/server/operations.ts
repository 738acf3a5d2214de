import * as z from "zod/mini";
import { fleetContract } from "../../../generated/fleet.contract.ts";
import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import { mockReadings } from "../../../generated/readings.ts";
import { storeContract } from "../../../generated/store.contract.ts";
import { type StoreOperationId, storeOperations } from "../../../generated/store.operations.ts";
import { describeKnownNames, namesOf } from "../../wire/names.ts";
import type { Operation, OperationContract } from "../../wire/operation.ts";
import type { RequestView } from "./exchange.ts";

/** An operation of either API. */
export type OperationId = StoreOperationId | FleetOperationId;

/** Every operation, those of the store API first. */
export const operationIds: readonly OperationId[] = [
  ...namesOf(storeOperations),
  ...namesOf(fleetOperations),
];

/** What the contracts say about each operation. */
export const operations: Readonly<Record<string, Operation>> = { ...storeOperations, ...fleetOperations };

/** The view of a request for the functions of a test. */
export type ReferenceRequest<Id extends OperationId | "*" = "*"> = RequestView<
  Id extends OperationId ? Id : OperationId
>;

/** The names of the path parameters of an operation; for `*`, any. */
export type PathParameter<Id extends OperationId | "*"> = Id extends StoreOperationId
  ? Braced<(typeof storeOperations)[Id]["path"]>
  : Id extends FleetOperationId
    ? Braced<(typeof fleetOperations)[Id]["path"]>
    : string;

type Braced<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Braced<Rest>
  : never;

/** The ID of an operation, or `*` for all. */
export const operationSchema = z.enum([...operationIds, "*"], {
  error: ({ input }) => `must be the ID of an operation${describeKnownNames(String(input), operationIds)}`,
});

/** Whether the response of an operation is a page of a list. */
export function isList(operation: OperationId): boolean {
  return operations[operation]?.list !== undefined;
}

/** The parts of an operation that a matcher may name. */
export interface OperationFacts {
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  readonly takesBody: boolean;
}

/** Returns the facts of one operation, or with `*` those of all operations together. */
export function factsOf(operation: OperationId | "*"): OperationFacts {
  const all = Object.values(operations).filter(({ id }) => operation === "*" || operation === id);
  return {
    pathParameters: all.flatMap(({ path }) =>
      Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name),
    ),
    queryParameters: all.flatMap(queryParameters),
    takesBody: all.some(({ method }) => ["PUT", "POST", "PATCH"].includes(method)),
  };
}

/** Returns the query parameters of an operation, those of every reading included. */
function queryParameters({ id }: Operation): string[] {
  const readings: Readonly<Record<string, readonly string[]>> = mockReadings;
  const contracts: Readonly<Record<string, OperationContract<unknown>>> = {
    ...storeContract,
    ...fleetContract,
  };
  const { query = {} } = contracts[id] ?? {};
  const names = Object.entries(query).flatMap(([name, { nameGap = "" }]) => [
    name,
    ...(readings[nameGap] ?? []),
  ]);
  return id === storeOperations.listProtocols.id ? [...names, "cursor"] : names; // gap protocols.next-page
}

/** An operation of a generated table. */
export interface OperationEntry {
  readonly method: string;
  readonly path: string;
}

/** The operations of a path and its parameters. */
export interface Match<Id extends string> {
  /** Operation IDs by method. */
  readonly operations: ReadonlyMap<string, Id>;
  readonly params: Record<string, string>;
}

/** The key of the branch of a path parameter. */
const PARAMETER = Symbol("parameter");

class Branch<Id> {
  readonly children = new Map<string | typeof PARAMETER, Branch<Id>>();
  readonly operations = new Map<string, Id>();
  /** The names of the path parameters. */
  names: readonly string[] = [];

  child(segment: string): Branch<Id> {
    const key = segment.startsWith("{") ? PARAMETER : segment;
    const child = this.children.get(key) ?? new Branch<Id>();
    this.children.set(key, child);
    return child;
  }
}

/** The routes of one API, built from its operation table. */
export class Routes<Id extends string = string> {
  readonly #root = new Branch<Id>();

  constructor(entries: Readonly<Record<Id, OperationEntry>>) {
    for (const id of namesOf(entries)) {
      const { method, path } = entries[id];
      let branch = this.#root;
      for (const segment of path.slice(1).split("/")) branch = branch.child(segment);
      branch.operations.set(method, id);
      branch.names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
    }
  }

  /** Finds the operations of a percent-encoded path. */
  match(path: string): Match<Id> | undefined {
    if (!path.startsWith("/")) return undefined;
    const ids: string[] = [];
    let branch: Branch<Id> | undefined = this.#root;
    for (const segment of path.slice(1).split("/")) {
      const literal: Branch<Id> | undefined = branch.children.get(segment);
      const id: string | undefined = literal === undefined ? decodeId(segment) : undefined;
      if (id !== undefined) ids.push(id);
      branch = literal ?? (id === undefined ? undefined : branch.children.get(PARAMETER));
      if (branch === undefined) return undefined;
    }
    if (branch.operations.size === 0) return undefined;
    const params = Object.fromEntries(branch.names.map((name, index) => [name, ids[index] ?? ""]));
    return { operations: branch.operations, params };
  }
}

/** Decodes a path parameter; an empty segment, a dot segment and an invalid escape are not IDs. */
function decodeId(segment: string): string | undefined {
  try {
    const id = segment.includes("%") ? decodeURIComponent(segment) : segment;
    return isPathId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an ID can be a segment of a path. URL parsers remove dot segments, so that the path would be another one. */
export function isPathId(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id !== "." && id !== "..";
}
