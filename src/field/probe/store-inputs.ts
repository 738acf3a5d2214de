import { storeInputs } from "../../../generated/store.inputs.ts";
import type { JsonObject } from "../../wire/json.ts";

/** The lists of a store that a PUT changes. */
export type ScratchList = "contacts" | "expectations" | "expositions";

/** The input of a row in each list; a service may return more properties. */
const INPUTS = {
  contacts: storeInputs.ContactInput,
  expectations: storeInputs.ExpectationInput,
  expositions: storeInputs.ExpositionInput,
} satisfies Record<ScratchList, object>;

/** Returns the fields of a store that an upsert accepts. */
export function fieldsOf(store: JsonObject): JsonObject {
  return Object.fromEntries(storeInputs.StoreUpsert.sent.map((name) => [name, store[name]]));
}

/** Returns rows in the form that a PUT accepts. */
export function inputsOf(name: ScratchList, rows: readonly JsonObject[]): JsonObject[] {
  const { sent, defaults } = INPUTS[name];
  const omitted: JsonObject = { ...defaults };
  return rows.map((row) =>
    Object.fromEntries(
      sent.flatMap((property): [string, unknown][] => {
        // a response may leave out a property that is null
        const value = row[property] ?? (omitted[property] === null ? null : undefined);
        return value === undefined ? [] : [[property, value]];
      }),
    ),
  );
}
