import { type Arbitrary, array, assert, asyncProperty, constantFrom, integer, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { mockReadings, storeClientStrategies } from "../../../generated/readings.ts";
import {
  type CursorPage,
  type JsonObject,
  PaginationError,
  StoreApiError,
} from "../../../src/client/store/index.ts";
import { json, type Responder, type SentRequest } from "../core/stub-fetch.ts";
import { indexesIn, type RangeModel, rangeServer } from "../pagination/range-model.ts";
import { readBatches } from "./pull-service.ts";
import { stubClient } from "./stub-client.ts";

const strategies = storeClientStrategies["protocols.next-page"];
type Strategy = (typeof strategies)[number];

const from = 0;
const to = 40;
/** Instants are in µs. */
const ms = 1000;
const identify = (protocol: JsonObject): string => String(protocol.key);

/** The ID is in the property of a reading, or in one that only `identify` knows. */
type ProtocolServer = RangeModel & { idProperty: keyof typeof propertyNames };
const propertyNames = { protocolId: "protocolId", id: "id", anonymous: "note", own: "key" };

function protocolServer(given: Omit<ProtocolServer, "summary">): ProtocolServer {
  return { ...given, summary: (index) => ({ [propertyNames[given.idProperty]]: `P-${index}` }) };
}

const responderOf = (model: ProtocolServer): Responder => {
  const server = rangeServer(model);
  return ({ url }) => server(url);
};

const anyServer: Arbitrary<ProtocolServer> = record({
  instants: array(
    integer({ min: from - 3, max: to + 3 }).map((at) => at * ms),
    { maxLength: 30 },
  ),
  cursor: constantFrom(...mockReadings["protocols.next-page"]),
  order: constantFrom(...mockReadings["protocols.order"]),
  ends: constantFrom(...mockReadings["time-range.ends"]),
  idProperty: constantFrom(...mockReadings["protocols.id-property"], "own" as const),
}).map(protocolServer);

interface Walk {
  pages: CursorPage<JsonObject>[];
  items: string[];
  error: unknown;
  sent: SentRequest[];
}

async function walk(
  server: ProtocolServer,
  strategy: Strategy,
  limit: number,
  resume?: string,
): Promise<Walk> {
  const { client, sent } = stubClient(responderOf(server), {
    strategies: { "protocols.next-page": strategy },
    readings: { "time-range.precision": "millisecond" },
    ...(server.idProperty === "own" && { identify }),
  });
  const query = {
    from: new Date(from),
    to: new Date(to),
    limit,
    status: "completed",
    ...(resume && { resume }),
  } as const;
  const walked: Walk = { pages: [], items: [], error: undefined, sent };
  try {
    for await (const page of client.protocols.list("S-1", query).pages()) {
      walked.pages.push(page);
      walked.items.push(...page.items.map((item) => JSON.stringify(item)));
    }
  } catch (error) {
    walked.error = error;
  }
  return walked;
}

function all(server: ProtocolServer): string[] {
  return indexesIn(server, from, to * ms).map((index) => JSON.stringify(server.summary(index, 0)));
}

/** Whether no two milliseconds hold more than a page: narrower ranges then find everything. */
function canBeNarrowed(server: ProtocolServer, limit: number): boolean {
  const starts = server.instants.flatMap((at) => [at - 2 * ms, at - ms, at]);
  return starts.every((start) => indexesIn(server, start, start + 2 * ms).length <= limit);
}

/** Whether a walk by this strategy may fail on this server with so many protocols a page. */
function mayFail(server: ProtocolServer, strategy: Strategy, limit: number): boolean {
  if (all(server).length <= limit) return false;
  if (strategy === "single") return true;
  if (strategy === "cursor") return server.cursor !== "cursor";
  if (strategy === "auto" && server.cursor === "cursor") return false;
  return !canBeNarrowed(server, limit);
}

const anyWalk = [anyServer, constantFrom(...strategies), integer({ min: 1, max: 6 })] as const;

describe("the pages of protocols", () => {
  const refused = /the response is about another store/;

  it.each<[string, string, string | RegExp]>([
    ["S-1", "s-2", refused],
    ["S-1", "S-10", refused],
    ["S-1", "s-1 ", "1"],
    ["caf\u00e9", "CAFE\u0301", "1"],
  ])(
    "of %s with the external ID %j are those of that store or refused",
    async (requested, returned, result) => {
      const { client } = stubClient(() =>
        json({ externalId: returned, items: [{ protocolId: "p-1" }], nextCursor: null }),
      );
      const since = "2026-01-01T00:00:00Z";
      const { protocols } = client;
      for (const reading of [
        protocols.list(requested, { from: since, to: "2026-01-02T00:00:00Z" }).toArray(),
        readBatches(protocols.pull(requested, { since, allowedLateness: 0 })).then(({ items }) => items),
      ]) {
        const outcome = await Promise.resolve(reading).then((items) => String(items.length), String);
        expect(outcome).toMatch(result);
      }
    },
  );
});

describe("the protocol list", () => {
  it("gives each protocol once under every reading and strategy, or a PaginationError", async () => {
    await assert(
      asyncProperty(...anyWalk, async (server, strategy, limit) => {
        const { items, error } = await walk(server, strategy, limit);
        expect(new Set(items).size).toBe(items.length);
        const expected = all(server).toSorted();
        const failed = error !== undefined;
        expect(items.toSorted()).toEqual(failed ? expected.filter((one) => items.includes(one)) : expected);
        expect(failed && !mayFail(server, strategy, limit)).toBe(false);
        const rejected = strategy === "cursor" && server.cursor === "rejected";
        expect([undefined, rejected ? StoreApiError : PaginationError]).toContain(error?.constructor);
      }),
      { numRuns: 600 },
    );
  });

  it("continues after each of its pages with that page's token, with every strategy", async () => {
    await assert(
      asyncProperty(...anyWalk, async (server, strategy, limit) => {
        const { pages, items, error } = await walk(server, strategy, limit);
        let delivered = 0;
        for (const page of pages) {
          delivered += page.items.length;
          if (page.resume === null) continue;
          const rest = await walk(server, strategy, limit, page.resume);
          expect(rest.items).toEqual(items.slice(delivered));
          expect(rest.error instanceof Error).toBe(error instanceof Error);
        }
        expect(pages.at(-1)?.resume ?? null).toBe(
          error === undefined ? null : (pages.at(-1)?.resume ?? null),
        );
      }),
      { numRuns: 150 },
    );
  });

  it("has on each page the cursor that the server returned, and asks with the same filters", async () => {
    await assert(
      asyncProperty(...anyWalk, async (server, strategy, limit) => {
        const { pages, sent } = await walk(server, strategy, limit);
        for (const page of pages) expect(page.nextCursor).toBe(page.raw.nextCursor);
        for (const { query } of sent)
          expect(query).toMatchObject({ limit: String(limit), status: "completed" });
      }),
      { numRuns: 100 },
    );
  });

  it("never asks beyond its range, nor for more than its pages need", async () => {
    await assert(
      asyncProperty(...anyWalk, async (server, strategy, limit) => {
        const { sent, items } = await walk(server, strategy, limit);
        for (const { query } of sent) {
          expect(Date.parse(query.from as string)).toBeGreaterThanOrEqual(from);
          expect(Date.parse(query.to as string)).toBeLessThanOrEqual(to);
        }
        expect(sent.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(to - from)) * (items.length + 2));
      }),
      { numRuns: 100 },
    );
  });
});

const manyProtocols = protocolServer({
  instants: [5, 5, 5, 5, 20].map((at) => at * ms),
  cursor: "ignored",
  order: "oldest-first",
  ends: "half-open",
  idProperty: "protocolId",
});

describe("the strategies of the protocol list", () => {
  it("end in a PaginationError where one instant holds more than a page", async () => {
    const { error, items } = await walk(manyProtocols, "auto", 3);
    expect(error).toBeInstanceOf(PaginationError);
    expect((error as PaginationError).reason).toContain("at one instant");
    expect(items.length).toBeLessThan(5);
    expect((await walk(manyProtocols, "auto", 4)).items).toHaveLength(5);
  });

  it("send a cursor first, and documented parameters alone where it is not taken", async () => {
    const { sent } = await walk(manyProtocols, "auto", 4);
    expect(sent.map(({ query }) => "cursor" in query).slice(0, 3)).toEqual([false, true, false]);
    expect((await walk(manyProtocols, "window", 4)).sent.some(({ query }) => "cursor" in query)).toBe(false);
  });

  it("fail where they are forced and the server does not play along", async () => {
    expect((await walk({ ...manyProtocols, cursor: "rejected" }, "cursor", 4)).error).toMatchObject({
      status: 400,
    });
    expect((await walk(manyProtocols, "cursor", 4)).error).toBeInstanceOf(PaginationError);
    expect(
      (await walk({ ...manyProtocols, cursor: "ignored-new-cursor" }, "cursor", 4)).error,
    ).toBeInstanceOf(PaginationError);
  });

  it("give the first page alone, and then say that there is more", async () => {
    const { items, error } = await walk(manyProtocols, "single", 2);
    expect(items).toHaveLength(2);
    expect(error).toBeInstanceOf(PaginationError);
    expect((await walk(manyProtocols, "single", 5)).error).toBeUndefined();
  });

  it("pass on what is wrong beside the cursor", async () => {
    const { client } = stubClient((sent, index) =>
      index === 0 ? responderOf(manyProtocols)(sent, 0) : new Response("{}", { status: 404 }),
    );
    const list = client.protocols.list("S-1", { from: new Date(from), to: new Date(to), limit: 2 });
    await expect(list.take(9)).rejects.toMatchObject({ status: 404 });
  });

  it("take an identify of the call before the client's", async () => {
    const server = protocolServer({ ...manyProtocols, idProperty: "own" });
    const { client } = stubClient(responderOf(server), {
      identify: () => "all alike",
      readings: { "time-range.precision": "millisecond" },
    });
    const query = { from: new Date(from), to: new Date(to), limit: 4 };
    expect(await client.protocols.list("S-1", { ...query, identify }).take(9)).toHaveLength(5);
  });
});
