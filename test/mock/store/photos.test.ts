import { expect, test } from "vitest";
import { storeQueryLimits } from "../../../generated/store.limits.ts";
import type { ReadingsOption, StoreSeed } from "../../../src/mock/index.ts";
import { ALL_TIME, Caller, code, issuePaths, items } from "../caller.ts";

const { limit } = storeQueryLimits.listPhotos;

const DISPLAY = "11111111-1111-4111-8111-11111111111a";
const at = (number: number) => `2025-12-01T00:00:0${number}Z`;
const photo = (number: number, protocolId: string, status: string) => ({
  photoId: `I-${number}`,
  protocolId,
  status,
  createdAt: at(number),
  ...(number === 1 && { expositionId: DISPLAY }),
});

const SEED: StoreSeed = {
  externalId: "S-1",
  protocols: [
    { protocolId: "P-done", status: "completed" },
    { protocolId: "P-running", status: "processing" },
  ],
  photos: [
    photo(1, "P-done", "completed"),
    photo(2, "P-done", "failed"),
    photo(3, "P-running", "completed"),
    photo(4, "P-running", "annotating"),
  ],
};

const caller = (readings: ReadingsOption = {}) => new Caller({ store: { stores: [SEED] }, readings });
const PATH = `/v1/stores/S-1/photos?${ALL_TIME}`;
const ids = (rows: { photoId?: unknown }[]) => rows.map(({ photoId }) => photoId);

test("GET photos lists the photos of a time range, oldest first", async () => {
  expect(ids(items(await caller().get(PATH)))).toEqual(["I-1", "I-2", "I-3", "I-4"]);
  const own = caller({ "time-range.instant": "own-instant" });
  const within = await own.get(`/v1/stores/S-1/photos?from=${at(2)}&to=${at(4)}`);
  expect(ids(items(within))).toEqual(["I-2", "I-3"]);
});

test("GET photos filters by protocol and by exposition", async () => {
  expect(ids(items(await caller().get(`${PATH}&protocolId=P-running`)))).toEqual(["I-3", "I-4"]);
  expect(ids(items(await caller().get(`${PATH}&expositionId=${DISPLAY.toUpperCase()}`)))).toEqual(["I-1"]);
});

test.for([
  [limit.minimum - 1, 400],
  [limit.minimum, 200],
  [limit.maximum, 200],
  [limit.maximum + 1, 400],
] as const)("GET photos checks both bounds of the limit: %s is %i (store 8)", async ([value, status]) => {
  expect((await caller().get(`${PATH}&limit=${value}`)).status).toBe(status);
});

test("GET photos returns a default page without a limit (store 8)", async () => {
  const many = new Caller({ store: { stores: 1, protocolsPerStore: limit.default + 20 } });
  expect(items(await many.get(PATH))).toHaveLength(limit.default);
});

test.for([
  ["/v1/stores/S-1/photos", ["from", "to"]],
  [`${PATH}&status=open`, ["status"]],
  [`${PATH}&expositionId=x`, ["expositionId"]],
  [`${PATH}&cursor=x`, ["cursor"]],
] as const)("GET photos rejects %s and names %j", async ([path, paths]) => {
  const refused = await caller().get(path);
  expect([refused.status, code(refused), issuePaths(refused)]).toEqual([400, "validation_failed", paths]);
});

test("GET photos responds with 404 for an unknown store", async () => {
  expect((await caller().get(`/v1/stores/none/photos?${ALL_TIME}`)).status).toBe(404);
});

test("photos.status decides which status a value of both enumerations is compared with", async () => {
  const listed = async (reading: NonNullable<ReadingsOption["photos.status"]>, status: string) =>
    ids(items(await caller({ "photos.status": reading }).get(`${PATH}&status=${status}`)));
  expect(await listed("either", "completed")).toEqual(["I-1", "I-2", "I-3"]);
  expect(await listed("both", "completed")).toEqual(["I-1"]);
  expect(await listed("protocol", "completed")).toEqual(["I-1", "I-2"]);
  expect(await listed("image", "completed")).toEqual(["I-1", "I-3"]);
  expect(await listed("protocol-only", "completed")).toEqual(["I-1", "I-2"]);
  expect(await listed("image-only", "completed")).toEqual(["I-1", "I-3"]);
});

test("photos.status: a value of only one enum is compared with that status, unless the reading rejects it", async () => {
  for (const reading of ["either", "both", "protocol", "image"] as const) {
    const sender = caller({ "photos.status": reading });
    expect(ids(items(await sender.get(`${PATH}&status=processing`)))).toEqual(["I-3", "I-4"]);
    expect(ids(items(await sender.get(`${PATH}&status=annotating`)))).toEqual(["I-4"]);
  }
  const protocolOnly = caller({ "photos.status": "protocol-only" });
  expect(issuePaths(await protocolOnly.get(`${PATH}&status=annotating`))).toEqual(["status"]);
  expect(ids(items(await protocolOnly.get(`${PATH}&status=processing`)))).toEqual(["I-3", "I-4"]);
  const imageOnly = caller({ "photos.status": "image-only" });
  expect(issuePaths(await imageOnly.get(`${PATH}&status=processing`))).toEqual(["status"]);
  expect(ids(items(await imageOnly.get(`${PATH}&status=annotating`)))).toEqual(["I-4"]);
});

test("photos.page-shape decides the names of the list and its cursor", async () => {
  const shape = async (reading: NonNullable<ReadingsOption["photos.page-shape"]>) =>
    Object.keys((await caller({ "photos.page-shape": reading }).get(PATH)).body);
  expect(await shape("items-nextCursor")).toEqual(["externalId", "items", "nextCursor"]);
  expect(await shape("photos-nextCursor")).toEqual(["externalId", "photos", "nextCursor"]);
  expect(await shape("data-cursor")).toEqual(["externalId", "data", "cursor"]);
  expect(await shape("no-list")).toEqual(["externalId", "count"]);
});

test("photos.cursor-source: response returns the cursor of the next page", async () => {
  const sender = caller();
  const first = await sender.get(`${PATH}&limit=3`);
  const second = await sender.get(
    `${PATH}&limit=3&cursor=${encodeURIComponent(first.body.nextCursor as string)}`,
  );
  expect(ids(items(second))).toEqual(["I-4"]);
  expect(second.body.nextCursor).toBeNull();
});

test("photos.cursor-source: photo-id accepts the ID of the last photo as cursor and returns none", async () => {
  const sender = caller({ "photos.cursor-source": "photo-id" });
  const first = await sender.get(`${PATH}&limit=2`);
  expect(first.body).not.toHaveProperty("nextCursor");
  expect(ids(items(await sender.get(`${PATH}&limit=2&cursor=I-2`)))).toEqual(["I-3", "I-4"]);
});

test("time-range.inverted decides whether an inverted range of photos is rejected or empty", async () => {
  const inverted = `/v1/stores/S-1/photos?from=${at(3)}&to=${at(2)}`;
  expect(issuePaths(await caller().get(inverted))).toEqual(["from"]);
  expect(items(await caller({ "time-range.inverted": "empty" }).get(inverted))).toEqual([]);
});
