import { describe, expect, it } from "vitest";
import { InvalidRequestError, mirror, type MirrorSink } from "../../../src/index.ts";
import type { StoreClientOptions } from "../../../src/client/store/index.ts";
import { isObject } from "../../../src/wire/json.ts";
import { json, type SentRequest } from "../core/stub-fetch.ts";
import { listServer, pageOf, requestedPage, rows, stubClient as fleetStub } from "../fleet/stub-client.ts";
import { stubClient as storeStub } from "../store/stub-client.ts";

/** A list, a pull or a mirror that saves its progress. */
interface Program {
  /** Reads from the beginning. Returns the saved progress. */
  begin(): Promise<string | null | undefined>;
  resume(saved: string): Promise<unknown>;
  sent: readonly SentRequest[];
}

const start = Date.parse("2026-01-01T00:00:00Z");
const range = { from: new Date(start), to: new Date(start + 3_600_000) };

/** Protocols at every minute, three on a page; their cursors are numbers. */
function protocols(strategy: "cursor" | "window", query: { verify?: true } = {}) {
  const options: Partial<StoreClientOptions> = { strategies: { "protocols.next-page": strategy } };
  const { client, sent } = storeStub((request) => json(protocolPage(request)), options);
  return { list: (resume?: string) => client.protocols.list("S", { ...range, ...query, resume }), sent };
}

function protocolPage({ query }: SentRequest): object {
  const { from = range.from, to = range.to, cursor = 0 } = query;
  const found = Array.from({ length: 60 }, (_, minute) => minute)
    .filter((minute) => start + minute * 60_000 >= Number(new Date(from)))
    .filter((minute) => start + minute * 60_000 < Number(new Date(to)))
    .slice(Number(cursor));
  const nextCursor = found.length > 3 ? String(Number(cursor) + 3) : null;
  return { items: found.slice(0, 3).map((minute) => ({ id: `P-${minute}` })), nextCursor };
}

/** Saves the token of the page with this index. */
function list(
  { list: open, sent }: { list: (resume?: string) => Walk; sent: readonly SentRequest[] },
  page = 0,
): Program {
  return {
    async begin() {
      let index = 0;
      for await (const { resume } of open().pages()) if (index++ === page) return resume;
      return undefined;
    },
    resume: (saved) => Promise.resolve(open(saved)),
    sent,
  };
}

interface Walk extends PromiseLike<unknown> {
  pages(): AsyncIterable<{ resume: string | null }>;
}

function stores(query: { verify?: true } = {}) {
  const { client, sent } = storeStub(({ query: { cursor } }) => {
    const number = Number(cursor ?? 0) + 1;
    return json({ items: [{ externalId: `${number}` }], nextCursor: number < 3 ? `${number}` : null });
  });
  return { list: (resume?: string) => client.stores.list({ ...query, resume }), sent };
}

/** A numbered list; one that shrinks is read in a further pass. */
function vehicles(isShrinking: boolean, query: { verify?: true } = {}) {
  const { client, sent } = fleetStub((request, index) =>
    json(pageOf(isShrinking && index > 0 ? rows(4) : rows(6), requestedPage(request), 2)),
  );
  const onDrift = isShrinking ? ({ onDrift: "heal" } as const) : {};
  return { list: (resume?: string) => client.vehicles.list({ ...query, ...onDrift, resume }), sent };
}

/** Saves the state of the batch with this index. */
function pulled(batch: number): Program {
  const { client, sent } = storeStub((request) => json(protocolPage(request)));
  const options = { since: range.from, allowedLateness: 60_000 };
  return {
    async begin() {
      let index = 0;
      for await (const { state } of client.protocols.pull("S", options)) if (index++ === batch) return state;
      return undefined;
    },
    resume: (state) => client.protocols.pull("S", { ...options, state }).next(),
    sent,
  };
}

function mirrored(runs: number): Program {
  const { client, sent } = fleetStub(listServer(rows(6), 2));
  let state: string | undefined;
  const saved: string[] = [];
  const sink: MirrorSink<object> = {
    load: () => state,
    find: () => new Map(),
    save: (page) => void saved.push(page.state),
    countUnseen: () => 0,
    remove: () => {},
  };
  return {
    async begin() {
      await mirror(client.vehicles.list(), sink);
      return saved[runs];
    },
    resume(text) {
      state = text;
      return mirror(client.vehicles.list(), sink);
    },
    sent,
  };
}

const programs: Record<string, () => Program> = {
  "a cursor list": () => list(stores()),
  "a verified cursor list": () => list(stores({ verify: true })),
  "a time range before its second page": () => list(protocols("cursor")),
  "a time range read by cursor": () => list(protocols("cursor"), 1),
  "a time range read by windows": () => list(protocols("window"), 1),
  "a numbered list": () => list(vehicles(false)),
  "a numbered list before a further pass": () => list(vehicles(true), 1),
  "a verified numbered list": () => list(vehicles(false, { verify: true })),
  "a pull within a run": () => pulled(0),
  "a mirror within a pass": () => mirrored(0),
};

const absurd = [-9e15, 0.5, 1e300, Number.MAX_SAFE_INTEGER + 1];

/** Returns the paths of all numbers in a JSON value. */
function pathsOfNumbers(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === "number") return [path];
  if (!isObject(value) && !Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => pathsOfNumbers(inner, [...path, name]));
}

function replaceAt(value: unknown, [name, ...path]: readonly string[], number: number): unknown {
  if (name === undefined) return number;
  const copy = structuredClone(value) as Record<string, unknown>; // the path comes from this value
  copy[name] = replaceAt(copy[name], path, number);
  return copy;
}

describe.each(Object.entries(programs))("the saved progress of %s", (_, open) => {
  it("continues as it was saved, and is rejected with any absurd number before anything is sent", async () => {
    const program = open();
    const saved = await program.begin();
    expect(saved).toBeTypeOf("string");
    const value: unknown = JSON.parse(saved ?? "");
    const before = program.sent.length;
    const accepted: string[] = [];
    for (const path of pathsOfNumbers(value))
      for (const number of absurd) {
        const altered = JSON.stringify(replaceAt(value, path, number));
        const failure: unknown = await program.resume(altered).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (!(failure instanceof InvalidRequestError))
          accepted.push(`${path.join(".")} = ${number}: ${String(failure)}`);
      }
    expect(accepted).toEqual([]);
    expect(program.sent).toHaveLength(before);
    await program.resume(saved ?? "");
    expect(program.sent.length).toBeGreaterThan(before);
  });
});

it.each([
  ["a candidate after the last pass", { candidate: 9 }],
  ["the candidate of the unfinished pass", { candidate: 1 }],
])("the state of a mirror with %s, which would delete entries that exist, is rejected", async (_, change) => {
  const program = mirrored(0);
  const state = JSON.parse((await program.begin()) ?? "") as object;
  const rejected = program.resume(JSON.stringify({ ...state, ...change }));
  await expect(rejected).rejects.toBeInstanceOf(InvalidRequestError);
});
