import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  record,
  tuple,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { mockReadings, storeClientStrategies } from "../../../generated/readings.ts";
import {
  type CursorPage,
  type JsonObject,
  PaginationError,
  StoreApiError,
} from "../../../src/client/store/index.ts";
import { json, type Responder, type SentRequest } from "../core/stub-fetch.ts";
import { indexesIn, instantAt, type RangeModel, rangeServer } from "../pagination/range-model.ts";
import { readBatches } from "./pull-service.ts";
import { stubClient } from "./stub-client.ts";

const strategies = storeClientStrategies["protocols.next-page"];
type Strategy = (typeof strategies)[number];

/** Instants are in µs. */
const ms = 1000;
/** Ends that are whole milliseconds, and ends that are not. */
const whole = { from: 0, to: 40 * ms };
const fine = { from: 1, to: 40 * ms - 1 };
const identify = (protocol: JsonObject): string => String(protocol.key);

/** The summaries of a server, by the property that distinguishes them. */
const summaries = {
  protocolId: (index, response) => ({ protocolId: `P-${index}`, url: `signed-${response}` }),
  id: (index, response) => ({ id: index, url: `signed-${response}` }),
  identify: (index, response) => ({ key: `K-${index}`, url: `signed-${response}` }),
  // two responses have their properties in different orders
  anonymous: (index, response) =>
    response % 2 === 0 ? { kind: "x", note: `n${index}` } : { note: `n${index}`, kind: "x" },
  "equal pairs": (index) => ({ note: `n${Math.floor(index / 2)}` }),
  "anonymous, signed": (index, response) => ({ note: `n${index}`, url: `signed-${response}` }),
  "one ID for all": (index) => ({ id: "template", note: `n${index}` }),
} satisfies Record<string, RangeModel["summary"]>;

type Kind = keyof typeof summaries;
const kinds = Object.keys(summaries) as Kind[];
const distinguished: ReadonlySet<Kind> = new Set(["protocolId", "id", "identify", "anonymous"]);

type ProtocolServer = RangeModel & { kind: Kind; bounds: typeof whole };

function protocolServer(given: Omit<ProtocolServer, "summary">): ProtocolServer {
  return { ...given, summary: summaries[given.kind] };
}

const responderOf = (model: ProtocolServer): Responder => {
  const server = rangeServer(model);
  return ({ url }) => server(url);
};

const anyServer: Arbitrary<ProtocolServer> = record({
  instants: array(
    tuple(integer({ min: -3, max: 43 }), constantFrom(0, 0, 1, -1, 500)).map(([at, rest]) => at * ms + rest),
    { maxLength: 30 },
  ),
  cursor: constantFrom(...mockReadings["protocols.next-page"]),
  order: constantFrom(...mockReadings["protocols.order"]),
  ends: constantFrom(...mockReadings["time-range.ends"]),
  kind: constantFrom(...kinds),
  bounds: constantFrom(whole, fine),
}).map(protocolServer);

interface Walk {
  pages: CursorPage<JsonObject>[];
  items: string[];
  error: unknown;
  sent: SentRequest[];
}

/** The item without the URL, which every response signs anew, independent of the order of properties. */
const contentOf = ({ url: _, ...content }: JsonObject): string =>
  JSON.stringify(Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Walks in pieces of so many pages, each from the token of the page before it. */
async function walk(
  server: ProtocolServer,
  strategy: Strategy,
  limit: number,
  {
    resume,
    pieceLength = Infinity,
    prefetch = 0,
  }: { resume?: string; pieceLength?: number; prefetch?: number } = {},
): Promise<Walk> {
  const { client, sent } = stubClient(responderOf(server), {
    strategies: { "protocols.next-page": strategy },
    readings: { "time-range.precision": "millisecond" },
    ...(server.kind === "identify" && { identify }),
  });
  const { from, to } = server.bounds;
  const query = { from: instantAt(from), to: instantAt(to), limit, status: "completed" } as const;
  const walked: Walk = { pages: [], items: [], error: undefined, sent };
  try {
    for (let next: string | null | undefined = resume; next !== null; ) {
      let count = 0;
      for await (const page of client.protocols.list("S-1", { ...query, resume: next }).pages({ prefetch })) {
        walked.pages.push(page);
        walked.items.push(...page.items.map(contentOf));
        next = page.resume;
        if ((count += 1) === pieceLength) break;
      }
    }
  } catch (error) {
    walked.error = error;
  }
  return walked;
}

function all(server: ProtocolServer): string[] {
  return indexesIn(server, server.bounds.from, server.bounds.to).map((index) =>
    contentOf(server.summary(index, 0)),
  );
}

/** Whether no two milliseconds hold more than a page: narrower ranges then find everything. */
function canBeNarrowed(server: ProtocolServer, limit: number): boolean {
  const starts = server.instants.flatMap((at) => [at - 3 * ms, at]);
  return starts.every(
    (start) => indexesIn({ ...server, ends: "inclusive" }, start, start + 3 * ms).length <= limit,
  );
}

/** Whether a walk by this strategy may fail on this server with so many protocols a page. */
function mayFail(server: ProtocolServer, strategy: Strategy, limit: number): boolean {
  if (all(server).length <= limit) return false;
  if (strategy === "single") return true;
  const isDistinguished = distinguished.has(server.kind);
  if (server.cursor === "cursor" && strategy !== "window")
    return !isDistinguished && (server.kind !== "one ID for all" || limit === 1);
  return strategy === "cursor" || !isDistinguished || !canBeNarrowed(server, limit);
}

const anyWalk = [anyServer, constantFrom(...strategies), integer({ min: 1, max: 6 })] as const;

describe("the pages of protocols", () => {
  const refused = /the response is about another store/;

  it.each<[string, string | number, string | RegExp]>([
    ["S-1", "s-2", refused],
    ["S-1", "S-10", refused],
    ["S-1", "s-1 ", "1"],
    ["1", 2, refused],
    ["1", 1, "1"],
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
  const anyProgram = record({
    pieceLength: constantFrom(Infinity, 1, 2),
    prefetch: integer({ min: 0, max: 3 }),
  });

  it("gives each protocol once under every reading and strategy, resumed or not, or a PaginationError", async () => {
    await assert(
      asyncProperty(...anyWalk, anyProgram, async (server, strategy, limit, program) => {
        const { items, error } = await walk(server, strategy, limit, program);
        const [expected, delivered] = [all(server).toSorted(), items.toSorted()];
        const part = distinguished.has(server.kind)
          ? expected.filter((one) => items.includes(one))
          : delivered;
        expect(delivered).toEqual(error === undefined ? expected : part);
        expect(error !== undefined && !mayFail(server, strategy, limit)).toBe(false);
        const rejected = strategy === "cursor" && server.cursor === "rejected";
        expect([undefined, rejected ? StoreApiError : PaginationError]).toContain(error?.constructor);
      }),
      { numRuns: 200 },
    );
  });

  it("continues after each of its pages with that page's token, with every strategy", async () => {
    await assert(
      asyncProperty(...anyWalk, async (server, strategy, limit) => {
        const { pages, items, error } = await walk(server, strategy, limit);
        // after a resume, items that are signed anew have other URLs
        if (error !== undefined && !distinguished.has(server.kind)) return;
        let delivered = 0;
        for (const page of pages) {
          delivered += page.items.length;
          if (page.resume === null) continue;
          const rest = await walk(server, strategy, limit, { resume: page.resume });
          expect(rest.items).toEqual(items.slice(delivered));
          expect(rest.error instanceof Error).toBe(error instanceof Error);
        }
        expect(pages.at(-1)?.resume ?? null).toBe(
          error === undefined ? null : (pages.at(-1)?.resume ?? null),
        );
      }),
      { numRuns: 60 },
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
          expect(Date.parse(query.from as string)).toBeGreaterThanOrEqual(0);
          expect(Date.parse(query.to as string)).toBeLessThanOrEqual(40);
        }
        expect(sent.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(40)) * (items.length + 2));
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
  kind: "protocolId",
  bounds: whole,
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
    const list = client.protocols.list("S-1", { from: new Date(0), to: new Date(40), limit: 2 });
    await expect(list.take(9)).rejects.toMatchObject({ status: 404 });
  });

  it("take an identify of the call before the client's", async () => {
    const server = protocolServer({ ...manyProtocols, kind: "identify" });
    const { client } = stubClient(responderOf(server), {
      identify: () => "all alike",
      readings: { "time-range.precision": "millisecond" },
    });
    const query = { from: new Date(0), to: new Date(40), limit: 4 };
    expect(await client.protocols.list("S-1", { ...query, identify }).take(9)).toHaveLength(5);
  });
});
