import type { JsonObject } from "./json.ts";

/** The lists of a store that a PUT changes. */
export type ScratchList = "contacts" | "expectations" | "expositions";

/** The members of a row that a PUT takes; a service may show more of them. */
const INPUTS: Readonly<Record<ScratchList, readonly string[]>> = {
  contacts: ["contactType", "name", "phone", "email", "hasWhatsapp"],
  expectations: ["productCategory", "displayType", "weekday", "protocolTime", "expectedFillRatio"],
  expositions: ["expositionId", "label", "friendlyTitle", "productCategories", "expositionType", "status"],
};

/** Members that a response may leave out where they are null. */
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

/** The fields that an upsert can carry. */
export function fieldsOf(store: JsonObject): JsonObject {
  return Object.fromEntries(FIELDS.map((name) => [name, store[name]]));
}

/** Rows as a PUT takes them. */
export function inputsOf(name: ScratchList, rows: readonly JsonObject[]): JsonObject[] {
  return rows.map((row) =>
    Object.fromEntries(
      INPUTS[name].flatMap((member): [string, unknown][] => {
        const value = row[member] ?? (NULLABLE.has(member) ? null : undefined);
        return value === undefined ? [] : [[member, value]];
      }),
    ),
  );
}
