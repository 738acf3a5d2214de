import * as z from "zod/mini";
import { fleetContract } from "../../../generated/fleet.contract.ts";
import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import { mockReadings } from "../../../generated/readings.ts";
import { storeContract } from "../../../generated/store.contract.ts";
import { type StoreOperationId, storeOperations } from "../../../generated/store.operations.ts";
import { namesOf } from "../../wire/names.ts";
import type { Operation, OperationContract } from "../../wire/operation.ts";
import { describeKnownNames } from "../../wire/similar-name.ts";
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
