import { always, change, changeBody, changeRows, jsonText } from "../faults.ts";
import type { ScenarioRows } from "../model.ts";
import { copyDamages, copyFillRates, copyStores, copyTemplates, copyVehicles } from "../tasks/copies.ts";
import { changeStores, createStores } from "../tasks/writes.ts";
import { changeVehicles } from "../tasks/fleet-writes.ts";

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

const hardStores = Array.from({ length: 120 }, (_, index) => ({
  externalId: `S-${String(index).padStart(3, "0")}`,
  name: HARD_NAMES[index % HARD_NAMES.length] ?? "",
  location: index % 3 === 0 ? null : (HARD_NAMES[(index + 1) % HARD_NAMES.length] ?? ""),
}));

const HARD_IDS = ["A/B", "S-1?draft", "50%25", "a b", "ż#1", "S-1/contacts", "..%2FS-1"];

const storesWithHardIds = ["S-1", ...HARD_IDS].map((externalId, index) => ({
  externalId,
  name: `Kiosk ${index}`,
  location: `Street ${index}`,
  storeType: "Kiosk" as const,
  loginCode: `code-${index}`,
}));

const LARGE = "9007199254740993";

export const dataRows: ScenarioRows = {
  "hard-names": {
    tasks: [copyStores],
    why: "Names are long, or contain emoji, combining characters, line breaks, separators and what looks like a number or a formula.",
    cause: "value-changed",
    world: { store: { stores: hardStores } },
    isSolvable: true,
  },
  "hard-ids": {
    tasks: [changeStores],
    why: "External IDs are chosen by customers: they contain slashes, spaces and question marks.",
    cause: "path-not-encoded",
    world: { store: { stores: storesWithHardIds } },
    data: { stores: HARD_IDS.map((externalId, index) => ({ externalId, name: `Renamed ${index}` })) },
  },
  "hard-ids-of-new-stores": {
    tasks: [createStores],
    why: "A new store gets an external ID with a slash or a question mark.",
    cause: "path-not-encoded",
    data: {
      stores: ["S-1?new", "N/1", "S-2/contacts"].map((externalId, index) => ({
        externalId,
        name: `New ${index}`,
        location: "Street",
        regionId: null,
        storeType: "Kiosk",
        openingTimes: [],
        protocolCronEnabled: true,
        onboardingComplete: true,
        loginCode: `n-${index}`,
      })),
    },
  },
  "report-with-errors": {
    tasks: [copyFillRates],
    why: "A report has a property `errors` of its own, such as the photos that could not be measured.",
    cause: "read-not-checked",
    faults: [
      changeBody("a report with errors", always, (body) => ({
        ...body,
        errors: ["photo-1"],
        success: false,
      })),
    ],
    isSolvable: true,
  },
  "large-numbers": {
    tasks: [copyTemplates],
    why: "A number is larger than a double holds exactly: its last digit changes without an error.",
    cause: "value-changed",
    faults: [
      change("a version beyond 2^53", always, (response) =>
        jsonText(JSON.stringify(response.body).replaceAll('"version":1,', `"version":${LARGE},`), response),
      ),
    ],
    expected: { version: LARGE },
  },
  "unknown-properties": {
    tasks: [copyStores, copyDamages],
    why: "A release of the service adds properties, which the contract permits.",
    cause: "value-changed",
    faults: [
      changeRows("additional properties", always, (row) => ({
        ...row,
        rating: 5,
        tags: [{ a: 1 }],
        __proto: null,
      })),
    ],
    isSolvable: true,
  },
  "unknown-property-of-an-update": {
    tasks: [changeVehicles],
    why: "Vehicles have a property that the contract does not name, and a PUT must send it back.",
    cause: "update-erases",
    world: {
      fleet: {
        vehicles: [1, 2, 3, 4, 5].map((index) => ({
          id: `vehicle-${index}`,
          plateNumber: `WX ${index}`,
          brand: "MAN",
          depot: `North ${index}`,
          axles: [index, 3],
        })),
        damages: 0,
        inspections: 0,
      },
    },
    isSolvable: true,
  },
  "null-properties": {
    tasks: [copyStores],
    why: "Optional properties are null.",
    cause: "value-changed",
    world: {
      store: {
        stores: hardStores.map(({ externalId, name }) => ({
          externalId,
          name,
          location: null,
          storeType: null,
        })),
      },
    },
    isSolvable: true,
  },
  "id-missing": {
    tasks: [copyVehicles],
    why: "A row without an ID slips through, and cannot be stored.",
    cause: "read-not-checked",
    faults: [changeRows("rows without id", { from: 2 }, ({ id: _, ...row }) => row)],
  },
  "stores-without-external-id": {
    tasks: [copyStores],
    why: "Some stores have no external ID: a copy that uses it as the key keeps one of them.",
    cause: "identity-assumed",
    world: { store: { storesWithoutId: 40 } },
  },
  "equal-rows": {
    tasks: [copyDamages],
    why: "Two damages differ only in their ID.",
    cause: "identity-assumed",
    world: {
      fleet: {
        damages: Array.from({ length: 120 }, (_, index) => ({
          id: `damage-${index}`,
          description: "Scratch",
          reportedAt: "2026-01-01T00:00:00Z",
        })),
      },
    },
    isSolvable: true,
  },
};
