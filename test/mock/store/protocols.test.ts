import { expect, test } from "vitest";
import { storeQueryLimits } from "../../../generated/store.limits.ts";
import type { ReadingsOption, StoreSeed } from "../../../src/mock/index.ts";
import { ALL_TIME, Caller, code, issuePaths, items } from "../caller.ts";

const bounds = storeQueryLimits.listProtocols.limit;

const day = (number: number) => `2025-12-0${number}T00:00:00Z`;

const SEED: StoreSeed = {
  externalId: "S-1",
  protocols: [3, 1, 2].map((number) => ({
    protocolId: `P-${number}`,
    status: number === 2 ? "failed" : "completed",
    createdAt: day(number),
  })),
  photos: [
    { photoId: "I-1", protocolId: "P-1" },
    { photoId: "I-2", protocolId: "P-2" },
  ],
};

const caller = (readings: ReadingsOption = {}) => new Caller({ store: { stores: [SEED] }, readings });
const PATH = "/v1/stores/S-1/protocols";
const ids = (rows: { protocolId?: unknown }[]) => rows.map(({ protocolId }) => protocolId);

test("GET protocols lists the protocols of a time range, oldest first", async () => {
  const seen = await caller().get(`${PATH}?${ALL_TIME}`);
  expect(seen.body).toMatchObject({ externalId: "S-1", nextCursor: null });
  expect(ids(items(seen))).toEqual(["P-1", "P-2", "P-3"]);
  const within = await caller().get(`${PATH}?from=${day(2)}&to=${day(3)}`);
  expect(ids(items(within))).toEqual(["P-2"]);
});

test("GET protocols filters by status", async () => {
  expect(ids(items(await caller().get(`${PATH}?${ALL_TIME}&status=failed`)))).toEqual(["P-2"]);
  expect(items(await caller().get(`${PATH}?${ALL_TIME}&status=processing`))).toEqual([]);
});

test.for([
  ["", ["from", "to"]],
  ["?from=2025-01-01T00:00:00Z", ["to"]],
  ["?from=2025-01-01&to=2026-01-01T00:00:00Z", ["from"]],
  ["?from=2025-01-01T00:00:00&to=2026-01-01T00:00:00Z", ["from"]],
  [`?${ALL_TIME}&limit=0`, ["limit"]],
  [`?${ALL_TIME}&limit=${bounds.maximum + 1}`, ["limit"]],
  [`?${ALL_TIME}&status=pending`, ["status"]],
] as const)("GET protocols rejects the query %j and names %j", async ([query, paths]) => {
  const refused = await caller().get(PATH + query);
  expect([refused.status, code(refused), issuePaths(refused)]).toEqual([400, "validation_failed", paths]);
});

test("GET protocols accepts both bounds of the limit, and a range with an offset", async () => {
  for (const limit of [bounds.minimum, bounds.maximum])
    expect((await caller().get(`${PATH}?${ALL_TIME}&limit=${limit}`)).status).toBe(200);
  const plus = encodeURIComponent("2025-12-02T01:00:00+01:00");
  expect(ids(items(await caller().get(`${PATH}?from=${plus}&to=${day(3)}`)))).toEqual(["P-2"]);
});

test("GET protocols returns a default page without a limit (store 8)", async () => {
  const many = new Caller({ store: { stores: 1, protocolsPerStore: bounds.default + 1 } });
  const seen = await many.get(`${PATH}?${ALL_TIME}`);
  expect(items(seen)).toHaveLength(bounds.default);
  expect(seen.body.nextCursor).not.toBeNull();
});

test("GET protocol returns a protocol with its images", async () => {
  const { body } = await caller().get(`${PATH}/P-1`);
  expect(body).toMatchObject({ protocolId: "P-1", createdAt: day(1) });
  expect(body.images).toMatchObject([{ photoId: "I-1" }]);
});

test("GET protocol responds with 404 for an unknown protocol and an unknown store", async () => {
  expect((await caller().get(`${PATH}/P-9`)).status).toBe(404);
  expect((await caller().get("/v1/stores/none/protocols/P-1")).status).toBe(404);
  expect((await caller().get("/v1/stores/none/protocols")).status).toBe(404);
});

test("protocols.next-page: cursor returns the page after the cursor", async () => {
  const sender = caller();
  const first = await sender.get(`${PATH}?${ALL_TIME}&limit=2`);
  const next = encodeURIComponent(first.body.nextCursor as string);
  const second = await sender.get(`${PATH}?${ALL_TIME}&limit=2&cursor=${next}`);
  expect(ids(items(second))).toEqual(["P-3"]);
  expect(second.body.nextCursor).toBeNull();
  expect(issuePaths(await sender.get(`${PATH}?${ALL_TIME}&cursor=nonsense`))).toEqual(["cursor"]);
});

test("protocols.next-page: ignored returns the first page with the same cursor, ignored-new-cursor with a new one", async () => {
  for (const [reading, same] of [
    ["ignored", true],
    ["ignored-new-cursor", false],
  ] as const) {
    const sender = caller({ "protocols.next-page": reading });
    const first = await sender.get(`${PATH}?${ALL_TIME}&limit=2`);
    const again = await sender.get(`${PATH}?${ALL_TIME}&limit=2&cursor=${String(first.body.nextCursor)}`);
    expect(items(again)).toEqual(items(first));
    expect(again.body.nextCursor === first.body.nextCursor).toBe(same);
  }
});

test("protocols.next-page: rejected responds to a cursor with 400", async () => {
  const sender = caller({ "protocols.next-page": "rejected" });
  expect((await sender.get(`${PATH}?${ALL_TIME}&limit=2`)).body.nextCursor).not.toBeNull();
  expect(issuePaths(await sender.get(`${PATH}?${ALL_TIME}&limit=2&cursor=x`))).toEqual(["cursor"]);
});

test("requests.unknown-properties: rejected does not affect the cursor, which protocols.next-page decides", async () => {
  const sender = caller({ "requests.unknown-properties": "rejected", "protocols.next-page": "ignored" });
  expect((await sender.get(`${PATH}?${ALL_TIME}&cursor=x`)).status).toBe(200);
  expect(issuePaths(await sender.get(`${PATH}?${ALL_TIME}&page=2`))).toEqual(["page"]);
});

test("protocols.order: newest-first reverses the list and its cursors", async () => {
  const sender = caller({ "protocols.order": "newest-first" });
  const first = await sender.get(`${PATH}?${ALL_TIME}&limit=2`);
  expect(ids(items(first))).toEqual(["P-3", "P-2"]);
  const next = encodeURIComponent(first.body.nextCursor as string);
  expect(ids(items(await sender.get(`${PATH}?${ALL_TIME}&cursor=${next}`)))).toEqual(["P-1"]);
});

test("protocols.id-property decides whether the ID is called protocolId or id, or is absent", async () => {
  const readUnder = async (reading: "protocolId" | "id" | "anonymous") => {
    const sender = caller({ "protocols.id-property": reading });
    const [listed] = items(await sender.get(`${PATH}?${ALL_TIME}`));
    const { images: _, ...read } = (await sender.get(`${PATH}/P-1`)).body;
    expect(read).toEqual(listed);
    return [listed?.protocolId, listed?.id];
  };
  expect(await readUnder("protocolId")).toEqual(["P-1", undefined]);
  expect(await readUnder("id")).toEqual([undefined, "P-1"]);
  expect(await readUnder("anonymous")).toEqual([undefined, undefined]);
});

test("protocols.id-format: uuid makes the seeded IDs UUIDs", async () => {
  const seeded = async (reading: "text" | "uuid") => {
    const [first] = items(
      await new Caller({ readings: { "protocols.id-format": reading } }).get(`${PATH}?${ALL_TIME}`),
    );
    return first?.protocolId;
  };
  expect(await seeded("text")).toMatch(/^P-/);
  expect(await seeded("uuid")).toMatch(/^[0-9a-f]{8}-/);
});

test("time-range.ends: half-open leaves out a protocol created at `to`, inclusive does not", async () => {
  const listed = async (reading: "half-open" | "inclusive") =>
    ids(items(await caller({ "time-range.ends": reading }).get(`${PATH}?from=${day(1)}&to=${day(2)}`)));
  expect(await listed("half-open")).toEqual(["P-1"]);
  expect(await listed("inclusive")).toEqual(["P-1", "P-2"]);
});

test("time-range.inverted decides whether an inverted range is rejected or empty; equal ends are not inverted", async () => {
  const inverted = `${PATH}?from=${day(3)}&to=${day(2)}`;
  expect(issuePaths(await caller().get(inverted))).toEqual(["from"]);
  expect(items(await caller({ "time-range.inverted": "empty" }).get(inverted))).toEqual([]);
  expect((await caller().get(`${PATH}?from=${day(2)}&to=${day(2)}`)).status).toBe(200);
});
