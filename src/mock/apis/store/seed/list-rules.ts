import { zContact, zExpectation, zExposition } from "../../../../../generated/store.schemas.ts";
import { SeededMap } from "../../../seed/seeded-map.ts";
import { assertSchemaAt, objectAt } from "../../../seed/state-checks.ts";
import type { Schema } from "../../../server/schemas.ts";
import type { StoreData, StoreList, StoreRows } from "../data.ts";
import type { StoreSeed } from "../options.ts";
import {
  buildContacts,
  buildExpectations,
  buildExpositions,
  buildPhotos,
  buildProtocols,
  type StoreSeedPlan,
} from "./generated-rows.ts";
import {
  assertPhoto,
  assertProtocol,
  completeContacts,
  completeExpectations,
  completeExpositions,
  completePhotos,
  completeProtocols,
  type RowContext,
} from "./own-rows.ts";
import { namesOf } from "../../../../wire/names.ts";

interface ListRules<Row, Given = Row> {
  build(plan: StoreSeedPlan, externalId: string): Row[];
  /** Completes the rows of a store in the options. Throws an error that names an invalid row. */
  complete(rows: Given, context: RowContext): Row[];
  /** Throws an error that names the place if a row of an imported state is invalid. */
  check(row: unknown, place: string): void;
}

const checkSchema =
  (schema: Schema) =>
  (row: unknown, place: string): void =>
    assertSchemaAt(row, place, schema);

/** The lists of a store: the only place that names all of them. */
const listRules: { readonly [List in StoreList]: ListRules<StoreRows[List], StoreSeed[List]> } = {
  contacts: { build: buildContacts, complete: completeContacts, check: checkSchema(zContact) },
  expectations: {
    build: buildExpectations,
    complete: completeExpectations,
    check: checkSchema(zExpectation),
  },
  expositions: { build: buildExpositions, complete: completeExpositions, check: checkSchema(zExposition) },
  protocols: {
    build: buildProtocols,
    complete: completeProtocols,
    check: (row, place) => assertProtocol(objectAt(row, place), place),
  },
  photos: {
    build: buildPhotos,
    complete: completePhotos,
    check: (row, place) => assertPhoto(objectAt(row, place), place),
  },
};

export const storeLists = namesOf(listRules);

export function isStoreList(name: unknown): name is StoreList {
  return storeLists.some((list) => list === name);
}

/** A list of a store, for code that treats all lists alike. */
export interface AnyList {
  readonly name: StoreList;
  /** The rows of each store by its external ID. */
  readonly map: SeededMap<unknown[]>;
  readonly rules: ListRules<unknown, unknown[] | undefined>;
}

export function listsOf(data: StoreData): AnyList[] {
  return storeLists.map((name) => ({ name, map: data[name], rules: listRules[name] }));
}

/** Throws an error that names the place if a row of an imported list is invalid. */
export function checkRow(list: StoreList, row: unknown, place: string): void {
  listRules[list].check(row, place);
}

export function emptyLists(): { [List in StoreList]: SeededMap<StoreRows[List][]> } {
  const entries = storeLists.map((name) => [name, new SeededMap(true)]);
  return Object.fromEntries(entries) as { [List in StoreList]: SeededMap<StoreRows[List][]> }; // one for each list
}
