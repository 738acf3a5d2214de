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

const contracts: Readonly<Record<string, OperationContract<unknown>>> = {
  ...storeContract,
  ...fleetContract,
};

/** Returns the parameters that a request of an operation may have, or with `*` one of any operation, under every reading. */
export function parameterNames(operation: OperationId | "*"): Record<"path" | "query", string[]> {
  const readings: Readonly<Record<string, readonly string[]>> = mockReadings;
  const all = Object.values(operations).filter(({ id }) => operation === "*" || operation === id);
  const query = all.flatMap(({ id }) =>
    Object.entries(contracts[id]?.query ?? {}).flatMap(([name, { nameGap = "" }]) => [
      name,
      ...(readings[nameGap] ?? []),
    ]),
  );
  // gap protocols.next-page
  return { path: all.flatMap(({ path }) => parametersIn(path)), query: [...query, "cursor"] };
}

/** The operations of a path and its parameters. */
export interface Match<Id extends string> {
  /** Operation IDs by method. */
  readonly operations: ReadonlyMap<string, Id>;
  readonly params: Record<string, string>;
}

/** One path with its operations. */
interface Route<Id extends string> extends Pick<Match<Id>, "operations"> {
  readonly pattern: RegExp;
  readonly parameters: readonly string[];
}

/** The routes of one API, built from its operation table. */
export class Routes<Id extends string = string> {
  readonly #routes: readonly Route<Id>[];

  constructor(entries: Readonly<Record<Id, Readonly<Record<"method" | "path", string>>>>) {
    const byPath = Map.groupBy(namesOf(entries), (id) => entries[id].path);
    this.#routes = Array.from(byPath, ([path, ids]) => ({
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "([^/]+)")}$`),
      parameters: parametersIn(path),
      operations: new Map(ids.map((id) => [entries[id].method, id])),
    }));
  }

  /** Finds the operations of a percent-encoded path. */
  match(path: string): Match<Id> | undefined {
    for (const route of this.#routes) {
      const ids = route.pattern.exec(path)?.slice(1).map(decodeId);
      if (ids === undefined || ids.includes(undefined)) continue;
      const params = Object.fromEntries(route.parameters.map((name, index) => [name, ids[index] ?? ""]));
      return { operations: route.operations, params };
    }
    return undefined;
  }
}

/** Returns the names of the parameters of a path. */
function parametersIn(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
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
