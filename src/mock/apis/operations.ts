import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import { type StoreOperationId, storeOperations } from "../../../generated/store.operations.ts";
import type { Operation } from "../../wire/operation.ts";
import { mockReadings } from "../../../generated/readings.ts";
import type { OperationModel } from "../testing/operation-model.ts";
import { namesOf } from "../../wire/names.ts";

/** An operation of either API. */
export type OperationId = StoreOperationId | FleetOperationId;

/** Every operation, those of the store API first. */
export const operationIds: readonly OperationId[] = [
  ...namesOf(storeOperations),
  ...namesOf(fleetOperations),
];

const operations: Readonly<Record<string, Operation>> = { ...storeOperations, ...fleetOperations };

/** The query parameters of an operation, those of every reading included. */
function queryParameters(operation: string): string[] {
  const rules = Object.entries(operations[operation]?.query ?? {});
  const names = rules.flatMap(([name, { nameGap }]) => [name, ...readingNames(nameGap)]);
  const { id } = storeOperations.listProtocols;
  return operation === id ? [...names, "cursor"] : names; // gap protocols.next-page
}

/** The readings of a gap that concerns the name of a parameter. */
function readingNames(gap: string | undefined): readonly string[] {
  const readings: Readonly<Record<string, readonly string[]>> = mockReadings;
  return readings[gap ?? ""] ?? [];
}

/** The model of each operation: the parts that a matcher may name. */
export const operationModel: OperationModel = {
  names: operationIds,
  facts: memoize((operation) => ({
    pathParameters: Array.from(
      operations[operation]?.path.matchAll(/\{(\w+)\}/g) ?? [],
      ([, name = ""]) => name,
    ),
    queryParameters: [...new Set(queryParameters(operation))],
    takesBody: operations[operation]?.body !== undefined,
    isList: operations[operation]?.list !== undefined,
  })),
};

function memoize<Value>(compute: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    const value = values.get(key) ?? compute(key);
    values.set(key, value);
    return value;
  };
}

/** The names of the path parameters of an operation; for `*`, any. */
export type PathParameter<Id extends OperationId | "*"> = Id extends StoreOperationId
  ? Braced<(typeof storeOperations)[Id]["path"]>
  : Id extends FleetOperationId
    ? Braced<(typeof fleetOperations)[Id]["path"]>
    : string;

type Braced<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Braced<Rest>
  : never;
