import type { JsonObject } from "./json.ts";

/** The lists of a store that a PUT changes. */
export type ScratchList = "contacts" | "expectations" | "expositions";

/** The properties of a row that a PUT accepts; a service may return more properties. */
const INPUTS: Readonly<Record<ScratchList, readonly string[]>> = {
  contacts: ["contactType", "name", "phone", "email", "hasWhatsapp"],
  expectations: ["productCategory", "displayType", "weekday", "protocolTime", "expectedFillRatio"],
  expositions: ["expositionId", "label", "friendlyTitle", "productCategories", "expositionType", "status"],
};

/** Properties that a response may leave out if they are null. */
const NULLABLE: ReadonlySet<string> = new Set(["email", "productCategory", "friendlyTitle"]);

const FIELDS = [
  "name",
  "location",
  "regionId",
  "storeType",
  "openingTimes",
  "protocolScheduleId",
  "protocolCronEnabled",
  "onboardingComplete",
  "loginCode",
] as const;

/** Returns the fields of a store that an upsert accepts. */
export function fieldsOf(store: JsonObject): JsonObject {
  return Object.fromEntries(FIELDS.map((name) => [name, store[name]]));
}

/** Returns rows in the form that a PUT accepts. */
export function inputsOf(name: ScratchList, rows: readonly JsonObject[]): JsonObject[] {
  return rows.map((row) =>
    Object.fromEntries(
      INPUTS[name].flatMap((property): [string, unknown][] => {
        const value = row[property] ?? (NULLABLE.has(property) ? null : undefined);
        return value === undefined ? [] : [[property, value]];
      }),
    ),
  );
}
