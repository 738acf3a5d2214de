import { afterAll, describe, expect, it } from "vitest";
import { FleetClient, StoreClient } from "../../src/index.ts";
import { type NumberedModel, numberedServer } from "./numbered-model.ts";
import { type PhotoNames, photoServer } from "./photo-model.ts";
import { type Open, programNames, run } from "./programs.ts";
import { type StoreModel, storeServer } from "./store-model.ts";

const counts: Record<string, { whole: number; error: number }> = {};
afterAll(() => console.table(counts));

const baseUrl = "https://service.example";
const key = `acme_${"0123456789abcdef".repeat(4)}`;
const limits = [1, 2, 3, 4, 8, 100];

/** Runs every program over a list, with 0 to 3 pages ahead, or 1 to 8 at once. */
async function runAll(
  name: string,
  open: Open,
  most: number,
  expected: unknown[],
  mayFail: boolean,
): Promise<void> {
  const count = (counts[name] ??= { whole: 0, error: 0 });
  const sorted = expected.map((item) => JSON.stringify(item)).toSorted();
  for (const program of programNames) {
    for (let ahead = 0; ahead <= most; ahead++) {
      const { items, error } = await run(program, open, ahead);
      if (error === undefined) expect(items.toSorted(), `${name}: ${program}`).toEqual(sorted);
      else expect([error.message, mayFail], `${name}: ${program}`).toEqual([error.message, true]);
      count[error === undefined ? "whole" : "error"] += 1;
    }
  }
}

describe("the list of stores delivers every store once or ends in an error", () => {
  const named = ["S-1", "S-2", "S-3", "S-4", "S-5", "S-6", "S-7", "S-8"];
  const rows: Record<string, StoreModel["externalIds"]> = {
    "all with an external ID": named,
    "one without, at the end": [...named, null],
    "some without, at the end": [...named, null, null, null],
    "one without in the middle": ["S-1", "S-2", "S-3", null, "S-5", "S-6", "S-7", "S-8"],
    "some without in the middle": ["S-1", null, null, "S-4", null, "S-6", "S-7", "S-8"],
    "none at all": [],
    "one without alone": [null],
  };

  it.each(Object.entries(rows))("%s", async (name, externalIds) => {
    for (const cursorStart of ["after", "at"] as const) {
      for (const limit of limits) {
        const server = storeServer({ externalIds, cursorStart, nullCursor: "null" });
        const open: Open = (resume) =>
          new StoreClient({ baseUrl, token: "t", fetch: server }).stores.list({ limit, resume });
        const expected = externalIds.map((externalId, at) => ({ storeId: `id-${at}`, externalId }));
        await runAll(`stores: ${name}`, open, 3, expected, false);
      }
    }
  });

  // a row is read again from the last ID: pages overlap, or never get past the rows without one
  it("the last ID that is not null as cursor", async () => {
    for (const [name, externalIds] of Object.entries(rows)) {
      for (const limit of limits) {
        const server = storeServer({ externalIds, cursorStart: "after", nullCursor: "last-id" });
        const open: Open = (resume) =>
          new StoreClient({ baseUrl, token: "t", fetch: server }).stores.list({ limit, resume });
        const expected = externalIds.map((externalId, at) => ({ storeId: `id-${at}`, externalId }));
        await runAll(`stores, cursor is the last ID: ${name}`, open, 3, expected, true);
      }
    }
  });
});

describe("the photo list delivers every photo once or ends in an error", () => {
  const photos: Record<string, { rows: object[]; mayFail: boolean }> = {
    photoId: { rows: Array.from({ length: 9 }, (_, at) => ({ photoId: `I-${at}` })), mayFail: false },
    anonymous: { rows: Array.from({ length: 9 }, (_, at) => ({ note: at })), mayFail: false },
    "equal pairs": {
      rows: Array.from({ length: 9 }, (_, at) => ({ note: Math.floor(at / 2) })),
      mayFail: true,
    },
  };
  const names: PhotoNames[] = ["items-nextCursor", "photos-nextCursor", "data-cursor"];

  it.each(Object.entries(photos))("%s", async (kind, { rows, mayFail }) => {
    for (const reading of names) {
      for (const limit of limits) {
        const server = photoServer(rows, reading);
        const readings = { "photos.page-shape": reading };
        const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
        const open: Open = (resume) =>
          new StoreClient({ baseUrl, token: "t", fetch: server, readings }).photos.list("S", {
            ...range,
            limit,
            resume,
          });
        await runAll(`photos: ${kind}`, open, 3, rows, mayFail && limit === 1);
      }
    }
  });
});

describe("a numbered list delivers every item once or ends in an error", () => {
  const rows: Record<string, { rows: object[]; mayFail: boolean }> = {
    id: {
      rows: Array.from({ length: 11 }, (_, at) => ({ id: `v-${at}`, vehicleId: `v-${at}` })),
      mayFail: false,
    },
    anonymous: { rows: Array.from({ length: 11 }, (_, at) => ({ name: `n-${at}` })), mayFail: false },
    "equal pairs": {
      rows: Array.from({ length: 11 }, (_, at) => ({ name: Math.floor(at / 2) })),
      mayFail: true,
    },
  };
  const lists: Record<string, (client: FleetClient, query: object) => ReturnType<Open>> = {
    vehicles: (client, query) => client.vehicles.list(query),
    vehicleGroups: (client, query) => client.vehicleGroups.list(query),
    vehicleFields: (client, query) => client.vehicleFields.list(query),
    "vehicles of a field": (client, query) => client.vehicleFields.listVehicles("f", query),
    inspections: (client, query) => client.inspections.list(query),
    inspectionTemplates: (client, query) => client.inspectionTemplates.list(query),
    damages: (client, query) => client.damages.list(query),
    driverAssignments: (client, query) => client.driverAssignments.list(query),
  };
  const shown = ["vehicleFields", "vehicles of a field", "inspectionTemplates"];
  const shapes: NumberedModel["shape"][] = ["paged", "whole"];

  it.each(Object.entries(lists))("%s", async (name, list) => {
    for (const { rows: all, mayFail } of Object.values(rows)) {
      for (const shape of shapes.slice(0, shown.includes(name) ? 1 : 2)) {
        for (const verify of [false, true]) {
          const server = numberedServer({ rows: all, shape });
          const readings = { "lists.unshown": shape };
          const open: Open = (resume) =>
            list(
              new FleetClient({ baseUrl: `${baseUrl}/api/third-party/v1`, key, fetch: server, readings }),
              {
                limit: 3,
                resume,
                verify,
              },
            );
          await runAll(name, open, 7, all, mayFail);
        }
      }
    }
  });
});
