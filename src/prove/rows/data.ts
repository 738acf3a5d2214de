import { always, fault, json } from "../faults.ts";
import { changeBody, changeRows } from "../page-faults.ts";
import { type Rows, row } from "../row.ts";
import { NOW, times } from "../task.ts";
import { fullStore } from "../tasks/store.ts";

const HARD_NAMES = [
  "Żabka Łódź 🥐",
  "e\u0301 and é",
  "  spaces  ",
  "line\nbreak",
  '"quoted", with; separators',
  "\u202eright to left",
  "O'Brien \\ Söhne",
  "NULL",
  "007",
  "1e3",
  "=1+1",
  "a\tb",
  `${"long ".repeat(80)}end`,
];

const hardStores = times(120, (number) => ({
  externalId: `S-${1000 + number}`,
  name: HARD_NAMES[number % HARD_NAMES.length] ?? "",
  location: number % 3 === 0 ? null : (HARD_NAMES[(number + 1) % HARD_NAMES.length] ?? ""),
}));

const HARD_IDS = ["A/B", "S-1?draft", "50%25", "a b", "ż#1", "S-1/contacts", "..%2FS-1"];
const NEW_HARD_IDS = ["S-1?new", "N/1", "S-2/contacts"];

function storesOf(ids: readonly string[]) {
  return ids.map((externalId, index) => ({ ...fullStore(index), externalId }));
}

/** Vehicles with properties that the contract does not name. */
const unusualVehicles = times(5, (number) => ({
  id: `vehicle-${number}`,
  plateNumber: `WX ${number}`,
  brand: "MAN",
  depot: `North ${number}`,
  axles: [number, 3],
}));

const equalDamages = times(120, (number) => ({
  id: `damage-${number}`,
  description: "Dent",
  reportedAt: NOW,
}));

const LARGE = "9007199254740993";

export const dataRows: Rows = {
  "hard-names": row(["copy-stores"], "keep-the-values", {
    why: "Names are long, or contain emoji, combining characters, line breaks, separators and what looks like a number or a formula.",
    seed: { store: { stores: hardStores } },
  }),
  "hard-ids": row(["change-stores"], "encode-paths", {
    why: "External IDs are chosen by customers: they contain slashes, spaces and question marks.",
    seed: { store: { stores: storesOf(["S-1", ...HARD_IDS]) } },
    data: { stores: HARD_IDS.map((externalId, index) => ({ externalId, name: `Renamed ${index}` })) },
  }),
  "hard-ids-of-new-stores": row(["create-stores"], "encode-paths", {
    why: "A new store gets an external ID with a slash or a question mark.",
    data: { stores: storesOf(NEW_HARD_IDS) },
  }),
  "report-with-errors": row(["copy-fill-rates"], "keep-the-values", {
    why: "A report has a property `errors` of its own, such as the photos that could not be measured.",
    fault: changeBody("a report with errors", always, (body) => ({
      ...body,
      errors: ["photo-1"],
      success: false,
    })),
  }),
  "large-numbers": row(["copy-templates"], "keep-digits", {
    why: "A number is larger than a double holds exactly: its last digit changes without an error.",
    fault: fault("a version beyond 2^53", always, (on) =>
      on.change(({ body }) => json(JSON.stringify(body).replaceAll('"version":1,', `"version":${LARGE},`))),
    ),
    expected: { version: LARGE },
  }),
  "unknown-properties": row(["copy-stores", "copy-damages"], "keep-the-values", {
    why: "A release of the service adds properties, which the contract permits.",
    fault: changeRows("additional properties", always, (rows) =>
      rows.map((given) => ({ ...given, rating: 5, tags: [{ a: 1 }] })),
    ),
  }),
  "unknown-property-of-an-update": row(["change-vehicles"], "send-the-whole", {
    why: "Vehicles have a property that the contract does not name, and a PUT must send it back.",
    seed: { fleet: { vehicles: unusualVehicles, damages: 0, inspections: 0 } },
  }),
  "null-properties": row(["copy-stores"], "keep-the-values", {
    why: "Optional properties are null.",
    seed: { store: { stores: hardStores.map((store) => ({ ...store, location: null, storeType: null })) } },
  }),
  "id-missing": row(["copy-vehicles"], "check-reads", {
    why: "A row without an ID slips through, and cannot be stored.",
    fault: changeRows("rows without id", { from: 2 }, (rows) => rows.map(({ id: _, ...given }) => given)),
  }),
  "stores-without-external-id": row(["copy-stores"], "keep-all-rows", {
    why: "Some stores have no external ID: a copy that uses it as the key keeps one of them.",
    seed: { store: { storesWithoutId: 40 } },
  }),
  "equal-rows": row(["copy-damages"], "keep-the-values", {
    why: "Two damages differ only in their ID.",
    seed: { fleet: { damages: equalDamages } },
  }),
  "photos-without-id": row(["copy-photos"], "check-the-meaning", {
    why: "Photos have no ID, and their signed URLs differ in each response.",
    fault: changeRows("no photoId, and another URL", always, (rows) =>
      rows.map(({ photoId: _, ...photo }) => ({
        ...photo,
        url: `${String(photo["url"])}?at=${performance.now()}`,
      })),
    ),
  }),
};
