import { describe, expect, it } from "vitest";
import { type MockGap, createReferenceServer } from "../../../src/mock/index.ts";
import { gaps as register } from "../../../generated/gaps.ts";
import { mockReadings } from "../../../generated/readings.ts";
import { ServiceError } from "../../../src/field/compare/service.ts";
import { compareServers, compareStores } from "./compared.ts";

/** Gaps or readings that reads with one key cannot observe, because they need a write or another key. */
const NOT_READ: ReadonlySet<string> = new Set([
  "stores.create-requirements",
  "stores.omitted-fields",
  "expositions.absent",
  "expositions.matching",
  "limits.body-size",
  "stores.null-opening-times",
  "stores.body-external-id",
  "stores.null-store-type",
  "lists.ids-after-replace",
  "lists.duplicates",
  "expositions.omitted-title",
  "expositions.unknown-id",
  "expositions.response",
  "contacts.email-format",
  "requests.unlisted-values",
  "fleet.create-status",
  "fleet.delete-response",
  "fleet.deleted-resources",
  "fleet.second-delete",
  "fleet.put",
  "fleet.input-shapes",
  "fleet.patch",
  "fleet.patch-content-type",
  "templates.version-after-put",
  "scopes.list-templates",
  "scopes.get-damage",
  "scopes.implications",
  "scopes.field-vehicles",
  "errors.forbidden-details",
  "keys.review-scopes",
  "keys.unknown-scopes",
  "keys.hex-case",
  "lists.cursor-position: count",
  "fleet.null-properties",
  "stores.unknown-references",
  "stores.login-code",
  "stores.opening-times",
  "expositions.foreign-id",
  "fleet.repeated-post",
  "fleet.delete-dependents",
]);

/** Gaps whose reading is visible in the rows, which the mock copies, so that both sides are equal. */
const IN_ROWS: ReadonlySet<string> = new Set([
  "protocols.id-format",
  "protocols.id-property",
  "protocols.equal-summaries",
  "stores.null-external-id",
  "inspections.status-values",
  "damages.status-values",
  "vehicles.type-values",
  "photos.urls",
  "lists.fleet-order",
  "fleet.file-urls",
  "inspections.reported-damages",
]);

/** Operations whose responses depend on rows that the service does not return. */
const HIDDEN: Readonly<Record<string, readonly string[]>> = {
  "left-out": ["getFillRates", "getStoreFillRates"], // of expositions that are disabled
};

/** A server with a rate limit would make the tests slow. */
const isRate = (gap: string): boolean => /^limits\.\w+-rate$/.test(gap);

const gaps = (Object.keys(mockReadings) as MockGap[]).filter((gap) => !isRate(gap));
const changed = gaps.flatMap((gap) => mockReadings[gap].slice(1).map((reading) => ({ gap, reading })));
const isRead = ({ gap, reading }: Choice): boolean =>
  ![gap, `${gap}: ${reading}`].some((id) => NOT_READ.has(id) || IN_ROWS.has(id));

interface Choice {
  readonly gap: MockGap;
  readonly reading: string;
}

/** The number of gaps in one group: few enough that one reading seldom hides what another one changes. */
const TOGETHER = 8;

/** Deals the readings to groups in which each gap has one reading, because the readings of a gap follow each other. */
function inGroups(choices: readonly Choice[]): Readonly<Record<string, string>>[] {
  const count = Math.ceil(choices.length / TOGETHER);
  const groups = Array.from({ length: count }, (_, start) =>
    choices.filter((_choice, index) => index % count === start),
  );
  return groups.map((group) => Object.fromEntries(group.map(({ gap, reading }) => [gap, reading])));
}

const toLines = (differences: readonly object[]): string[] => differences.map((one) => JSON.stringify(one));

describe("compare with a mock that has the service's readings and data", () => {
  it("finds no difference under the default readings", async () => {
    const { differences, requests, incomplete } = await compareServers({}, {});
    expect(toLines(differences)).toEqual([]);
    expect(incomplete).toEqual([]);
    expect(requests).toBeGreaterThan(200);
  });

  it.each(inGroups(changed))("finds no difference under %j", async (readings) => {
    const { differences } = await compareServers(readings, readings);
    const hidden = new Set(Object.values(readings).flatMap((reading) => HIDDEN[reading] ?? []));
    expect(toLines(differences.filter(({ operation }) => !hidden.has(operation)))).toEqual([]);
  });
});

describe("compare with a mock that has another reading", () => {
  it.each(changed.filter(isRead))(
    "finds a difference if the service has $gap: $reading",
    async ({ gap, reading }) => {
      const { differences } = await compareServers({ [gap]: reading }, {}, [register[gap].api]);
      expect(differences.length).toBeGreaterThan(0);
    },
  );

  it.each(inGroups(changed.filter((one) => !isRead(one))))(
    "finds no difference if the service has %j, which reads do not show",
    async (readings) => {
      const { differences } = await compareServers(readings, {});
      expect(toLines(differences)).toEqual([]);
    },
  );

  it.each([
    [{ "protocols.order": "newest-first" }, ["listProtocols order /items"]],
    [{ "fleet.unsent-filters": "empty-string" }, ["listVehicleFields kinds /meta/filters/search"]],
    [{ "stores.cursor-start": "at" }, ["listStores paging /nextCursor"]],
    [{ "fill-rates.unknown-stores": "rejected" }, ["getFillRates status "]],
    [{ "errors.code-presence": "absent" }, ["listStores properties /error/code"]],
    [{ "lists.undocumented": "whole" }, ["listVehicles properties /meta/pagination"]],
  ])("reports operation, aspect and place of each difference: %j", async (readings, places) => {
    const { differences } = await compareServers(readings, {});
    const found = differences.map(({ operation, aspect, place }) => `${operation} ${aspect} ${place}`);
    expect(found).toEqual(expect.arrayContaining(places));
  });
});

describe("compare", () => {
  it("accepts an exported state in place of the data that it reads", async () => {
    const ref = createReferenceServer({ store: { stores: 3 } });
    const other = createReferenceServer({ store: { stores: [{ externalId: "S-1" }] } });
    const { differences } = await compareStores(ref, { state: other.exportState() });
    expect(differences[0]).toMatchObject({
      operation: "listStores",
      aspect: "rows",
      service: "3 rows",
      mock: "1 rows, 2 missing, 0 others",
    });
  });

  it("keeps a store whose protocols and photos have creation times in a form that the client does not know", async () => {
    const ref = createReferenceServer({ store: { stores: 1 } });
    const { differences } = await compareStores(ref, {
      fetch: async (request) => {
        const response = await ref.fetch(request);
        if (!/protocols|photos/.test(request.url)) return response;
        const text = await response.text();
        return new Response(text.replaceAll(/"createdAt":"[^"]+"/g, '"createdAt":1767225600'), response);
      },
    });
    expect(differences.filter(({ operation }) => operation === "listStores")).toEqual([]);
    // the rows are those that were read; only the ranges that contain them differ
    expect(new Set(differences.map(({ aspect }) => aspect))).toEqual(new Set(["rows"]));
  });

  it("fails with a message without the secret if the service rejects it", async () => {
    const ref = createReferenceServer();
    const run = compareStores(ref, { token: "a-wrong-token-of-some-length" });
    await expect(run).rejects.toThrow(ServiceError);
    await expect(run).rejects.toThrow("/v1/stores: status 401; the data of the service cannot be read");
  });

  it("waits and repeats a request if the service rejects it temporarily", async () => {
    const ref = createReferenceServer({ store: { stores: 1 } });
    ref.on("getContacts").once({ status: 429, headers: { "retry-after": "0" } });
    ref.on("listPhotos").always({ status: 500 });
    const { differences, incomplete } = await compareStores(ref);
    expect(differences.filter(({ operation }) => operation === "getContacts")).toEqual([]);
    expect(incomplete).toEqual([
      "/v1/stores/S-1/photos: status 500",
      "/v1/stores/shelfleet-compare-nobody/photos: status 500",
    ]);
  });

  it("sends only GETs, and at most maxRequests of them", async () => {
    const ref = createReferenceServer({ store: { stores: 3 } });
    const report = await compareStores(ref, { maxRequests: 60 });
    expect(report).toMatchObject({
      requests: 60,
      incomplete: ["the comparison, after 60 requests; see maxRequests"],
    });
    expect(new Set(ref.journal.all().map(({ method }) => method))).toEqual(new Set(["GET"]));
  });
});
