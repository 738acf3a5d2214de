import { afterAll, describe, expect, it } from "vitest";
import { FleetClient, StoreClient } from "../../../src/index.ts";
import { type NumberedModel, numberedServer } from "./numbered-model.ts";
import { type PhotoNames, photoServer } from "./photo-model.ts";
import { type Open, programNames, run } from "./programs.ts";
import { type StoreModel, storeServer } from "./store-model.ts";
import { Tally } from "./tally.ts";

const tally = new Tally();
afterAll(() => tally.print());

const baseUrl = "https://service.example";
const key = `acme_${"0123456789abcdef".repeat(4)}`;
const limits = [1, 2, 3, 4, 8, 100];

/** Runs every program over a list, with 0 to 3 prefetched pages or 1 to 8 concurrent ones. Returns the problems. */
async function runAll(name: string, open: Open, maximum: number, rows: readonly unknown[], mayFail: boolean) {
  const expected = rows.map((row) => JSON.stringify(row));
  const problems: string[] = [];
  for (const program of programNames) {
    for (let ahead = 0; ahead <= maximum; ahead++) {
      const found = tally.judge(name, await run(program, open, ahead), expected, mayFail);
      problems.push(...found.map((problem) => `${name}, ${program}, ${ahead} ahead: ${problem}`));
    }
  }
  return problems;
}

describe("the list of stores", () => {
  const named = ["S-1", "S-2", "S-3", "S-4", "S-5", "S-6", "S-7", "S-8"];
  const rows: Record<string, StoreModel["externalIds"]> = {
    "all with an external ID": named,
    "one without an external ID at the end": [...named, null],
    "some without an external ID at the end": [...named, null, null, null],
    "one without an external ID in the middle": ["S-1", "S-2", "S-3", null, "S-5", "S-6", "S-7", "S-8"],
    "some without an external ID in the middle": ["S-1", null, null, "S-4", null, "S-6", "S-7", "S-8"],
    "no stores": [],
    "only one without an external ID": [null],
  };

  it.each(Object.entries(rows))(
    "delivers every store once or ends in an error: %s",
    async (name, externalIds) => {
      for (const cursorStart of ["after", "at"] as const) {
        for (const limit of limits) {
          const server = storeServer({ externalIds, cursorStart, nullCursor: "null" });
          const open: Open = (resume) =>
            new StoreClient({ baseUrl, token: "t", fetch: server }).stores.list({ limit, resume });
          const expected = externalIds.map((externalId, at) => ({ storeId: `id-${at}`, externalId }));
          expect(await runAll(`stores: ${name}`, open, 3, expected, false)).toEqual([]);
        }
      }
    },
  );

  // a row is read again from the last ID: pages overlap, or never pass the rows without an ID
  it("delivers every store once if the cursor is the last ID that is not null", async () => {
    for (const [name, externalIds] of Object.entries(rows)) {
      for (const limit of limits) {
        const server = storeServer({ externalIds, cursorStart: "after", nullCursor: "last-id" });
        const open: Open = (resume) =>
          new StoreClient({ baseUrl, token: "t", fetch: server }).stores.list({ limit, resume });
        const expected = externalIds.map((externalId, at) => ({ storeId: `id-${at}`, externalId }));
        expect(await runAll(`stores, cursor is the last ID: ${name}`, open, 3, expected, true)).toEqual([]);
      }
    }
  });
});

describe("the photo list", () => {
  const photos: Record<string, { rows: object[]; mayFail: boolean }> = {
    photoId: { rows: Array.from({ length: 9 }, (_, at) => ({ photoId: `I-${at}` })), mayFail: false },
    anonymous: { rows: Array.from({ length: 9 }, (_, at) => ({ note: at })), mayFail: false },
    "equal pairs": {
      rows: Array.from({ length: 9 }, (_, at) => ({ note: Math.floor(at / 2) })),
      mayFail: true,
    },
  };
  const names: PhotoNames[] = ["items-nextCursor", "photos-nextCursor", "data-cursor"];

  it.each(Object.entries(photos))(
    "delivers every photo once or ends in an error: %s",
    async (kind, { rows, mayFail }) => {
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
          expect(await runAll(`photos: ${kind}`, open, 3, rows, mayFail)).toEqual([]);
        }
      }
    },
  );
});

describe("a numbered list", () => {
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
  const documented = new Set(["vehicleFields", "vehicles of a field", "inspectionTemplates"]);
  const shapes: NumberedModel["shape"][] = ["paged", "whole"];

  it.each(Object.entries(lists))("delivers every item once or ends in an error: %s", async (name, list) => {
    for (const { rows: all, mayFail } of Object.values(rows)) {
      for (const shape of shapes.slice(0, documented.has(name) ? 1 : 2)) {
        for (const verify of [false, true]) {
          const server = numberedServer({ rows: all, shape });
          const readings = { "lists.undocumented": shape };
          const open: Open = (resume) =>
            list(
              new FleetClient({ baseUrl: `${baseUrl}/api/third-party/v1`, key, fetch: server, readings }),
              {
                limit: 3,
                resume,
                verify,
              },
            );
          expect(await runAll(name, open, 7, all, mayFail)).toEqual([]);
        }
      }
    }
  });
});

describe("a resumed list", () => {
  const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
  const page = { currentPage: 1, totalPages: 3, totalCount: 3, hasNextPage: true, hasPreviousPage: false };
  const body = {
    items: [{ id: 1 }],
    data: [{ id: 1 }],
    nextCursor: "c",
    meta: { version: "v1", pagination: page },
  };
  const fetch = async (): Promise<Response> => new Response(JSON.stringify(body));
  const store = new StoreClient({ baseUrl, token: "t", fetch });
  const fleet = new FleetClient({ baseUrl: `${baseUrl}/api/third-party/v1`, key, fetch });
  const lists: Record<string, (query: object) => ReturnType<Open>> = {
    stores: (query) => store.stores.list(query),
    protocols: (query) => store.protocols.list("S", { ...range, ...query }),
    photos: (query) => store.photos.list("S", { ...range, ...query }),
    vehicles: (query) => fleet.vehicles.list(query),
    vehicleGroups: (query) => fleet.vehicleGroups.list(query),
    vehicleFields: (query) => fleet.vehicleFields.list(query),
    "vehicles of a field": (query) => fleet.vehicleFields.listVehicles("f", query),
    inspections: (query) => fleet.inspections.list(query),
    inspectionTemplates: (query) => fleet.inspectionTemplates.list(query),
    damages: (query) => fleet.damages.list(query),
    driverAssignments: (query) => fleet.driverAssignments.list(query),
  };

  it.each(Object.entries(lists))("is rejected with a different query: %s", async (name, list) => {
    const { resume } = await (list({ limit: 1 }) as PromiseLike<{ resume: string | null }>);
    const refused = (differing: string): object => ({
      name: "InvalidRequestError",
      issues: [{ path: "resume", message: `belongs to a list with another \`${differing}\`` }],
    });
    await expect(list({ limit: 2, resume })).rejects.toMatchObject(refused("limit"));
    await expect(list({ limit: 1, extra: { a: "b" }, resume })).rejects.toMatchObject(refused("extra.a"));
    const others = Object.entries(lists).filter(([other]) => other !== name);
    for (const [, other] of others)
      await expect(other({ limit: 1, resume })).rejects.toMatchObject({ name: "InvalidRequestError" });
  });
});
