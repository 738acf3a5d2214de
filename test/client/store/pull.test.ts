import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import {
  ConfigurationError,
  InvalidRequestError,
  PaginationError,
  type ProtocolPullOptions,
  type StoreApiError,
  StoreClient,
} from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { day, type Entry, endReadings, pullService, readBatches, type PullService } from "./pull-service.ts";
import { stubClient } from "./stub-client.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const since = new Date(day);

const protocol = (name: string, at: number, more: object = {}): Entry => ({
  at,
  entry: { protocolId: name, ...more },
});
const anonymous = (name: string, at: number): Entry => ({ at, entry: { name } });
const namesOf = (items: readonly object[]): string[] =>
  items.map((item) => {
    const { protocolId, photoId, name } = item as Record<string, string | undefined>;
    return protocolId ?? photoId ?? name ?? "?";
  });

/** A program that pulls and saves the state; `clock` is the time of the client in ms after `day`. */
function program(
  service: PullService,
  options: Partial<ProtocolPullOptions> = {},
  clientOptions: Parameters<typeof pullService>[1] = {},
) {
  const { client, sent } = pullService(service, clientOptions);
  let state: string | undefined;
  const run = async (clock: number, batches?: number): Promise<string[]> => {
    service.clock = clock;
    const pulled = client.protocols.pull("S-1", { since, allowedLateness: 0, ...options, state });
    const read = await readBatches(pulled, batches);
    ({ state } = read);
    return namesOf(read.items);
  };
  return { run, sent, state: () => state };
}

describe("the arguments and functions of a program", () => {
  it("have the values of the call, also if the program changes them before or during the run", async () => {
    const entries = [1, 2, 3].map((n) => protocol(`p${n}`, n * hour));
    const { client, sent } = pullService({ entries, clock: 4 * hour });
    const query: ProtocolPullOptions = {
      since,
      allowedLateness: minute,
      limit: 1,
      extra: { region: "north" },
    };
    const headers = { "x-tenant": "first" };
    const batches = client.protocols.pull("S-1", query, { headers });
    const change = (): unknown[] => [
      Object.assign(query, { since: new Date(day + 3 * hour), status: "failed", identify: () => "same" }),
      Object.assign(query.extra ?? {}, { region: "south" }),
      Object.assign(headers, { "x-tenant": "second" }),
    ];
    change();
    const items: object[] = [];
    for await (const batch of batches) change().push(items.push(...batch.items));
    expect(namesOf(items).toSorted()).toEqual(["p1", "p2", "p3"]);
    for (const request of sent)
      expect(request).toMatchObject({ headers: { "x-tenant": "first" }, query: { region: "north" } });
  });

  it.each<[string, Partial<ProtocolPullOptions>]>([
    ["identify", { identify: (item) => [String(item["protocolId"]), delete item["url"]].join("") }],
    ["fingerprint", { fingerprint: (item) => ({ ...item, url: delete item["url"] }) }],
    [
      "fingerprint",
      { fingerprint: (item) => Object.assign(item["file"] as object, { url: "", signed: "" }) },
    ],
  ])("deliver an item whole if %s changes it", async (_, functions) => {
    const item = { protocolId: "p", url: "a", file: { url: "b" } };
    const { client } = pullService({ entries: [{ at: 0, entry: item }], clock: hour });
    const { items } = await readBatches(
      client.protocols.pull("S-1", { since, allowedLateness: 0, ...functions }),
    );
    expect(items).toMatchObject([item]);
  });
});

describe("runs one after the other", () => {
  const times = [0, 1, 500, 10_000, 10_000, 19_999, 20_000, 20_001, 29_999, 30_000];
  const cases = endReadings.flatMap((ends) =>
    [1, second].flatMap((precision) => [true, false].map((hasIds) => ({ ends, precision, hasIds }))),
  );

  it.each(cases)("deliver each item once, %j", async ({ ends, precision, hasIds }) => {
    const make = hasIds ? protocol : anonymous;
    const entries = times.map((time, index) => make(`p${index}`, time));
    const { run } = program({ entries, ends, precision });
    const delivered: string[] = [];
    for (const clock of [10_000, 20_000, 30_000, 40_000]) delivered.push(...(await run(clock)));
    expect(delivered.toSorted()).toEqual(times.map((_, index) => `p${index}`));
  });

  it.each(["minute", "day"] as const)(
    "deliver each item once if instants are cut to a %s",
    async (reading) => {
      const precision = reading === "minute" ? minute : 24 * hour;
      const entries = Array.from({ length: 30 }, (_, index) =>
        protocol(`p${index}`, (index * precision) / 3),
      );
      for (const ends of endReadings) {
        const service: PullService = { entries: [], ends, precision };
        const { run } = program(service, {}, { readings: { "time-range.precision": reading } });
        const delivered: string[] = [];
        for (let clock = 0; clock <= 12 * precision; clock += precision / 4) {
          service.entries = entries.filter(({ at }) => at <= clock);
          delivered.push(...(await run(clock)));
        }
        expect(delivered).toHaveLength(30);
        expect(new Set(delivered).size).toBe(30);
      }
    },
  );

  it.each([protocol, anonymous])("find items that appear late, and changed ones", async (make) => {
    const service: PullService = { entries: [make("a", second)] };
    const { run } = program(service, { allowedLateness: minute });
    expect(await run(10 * second)).toEqual(["a"]);
    service.entries.push(make("late", 500));
    service.entries[0] = { at: second, entry: { ...service.entries[0]?.entry, status: "completed" } };
    expect((await run(50 * second)).toSorted()).toEqual(["a", "late"]);
    expect(await run(60 * second)).toEqual([]);
  });

  it("deliver an item that a lagging replica does not show once, when it comes", async () => {
    const [a, b] = [protocol("a", 9 * minute), protocol("b", 9 * minute + 1)];
    const service: PullService = { entries: [a] };
    const { run } = program(service, { allowedLateness: hour });
    expect(await run(10 * minute)).toEqual(["a"]);
    service.entries = [b];
    expect(await run(20 * minute)).toEqual(["b"]);
    service.entries = [];
    for (let clock = 30 * minute; clock < 70 * minute; clock += 10 * minute)
      expect(await run(clock)).toEqual([]);
    service.entries = [a, b];
    expect(await run(71 * minute)).toEqual([]);
  });

  it("deliver an item that changes back again", async () => {
    const service: PullService = { entries: [] };
    const { run } = program(service, { allowedLateness: hour });
    for (const status of ["processing", "failed", "processing"]) {
      service.entries = [protocol("a", 0, { status })];
      expect(await run(second)).toEqual(["a"]);
      expect(await run(second)).toEqual([]);
    }
  });
});

describe("a program that is killed", () => {
  it("delivers every item exactly once, whatever the ends of runs, the kills and the service are", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(60_000), { maxLength: 14 }),
        fc.array(fc.tuple(fc.nat(30_000), fc.nat(4)), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...endReadings),
        fc.constantFrom(1, second),
        fc.constantFrom(0, 3000, 20_000),
        fc.boolean(),
        async (times, runs, ends, precision, allowedLateness, hasIds) => {
          const make = hasIds ? protocol : anonymous;
          const entries = times.map((time, index) => make(`p${index}`, time));
          const service: PullService = { entries, ends, precision };
          const { run } = program(service, { allowedLateness });
          const delivered: string[] = [];
          let clock = 0;
          for (const [step, batches] of runs) {
            clock += step;
            delivered.push(...(await run(clock, batches || undefined)));
          }
          for (let last = 0; last < 2; last += 1) delivered.push(...(await run(200_000)));
          expect(delivered.toSorted()).toEqual(entries.map((_, index) => `p${index}`).toSorted());
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([0, hour])(
    "reads its range again if the cursor has expired, allowedLateness %i",
    async (lateness) => {
      const entries = Array.from({ length: 9 }, (_, index) => protocol(`p${index}`, index * minute));
      const service: PullService = { entries, session: "a" };
      const { run } = program(service, { allowedLateness: lateness });
      const delivered = await run(10 * minute, 3);
      service.session = "b";
      delivered.push(...(await run(11 * minute)), ...(await run(12 * minute)));
      expect(delivered.toSorted()).toEqual(namesOf(entries.map(({ entry }) => entry)));
    },
  );

  it.each([
    { name: "items have no ID", make: anonymous, count: 9, allowedLateness: hour },
    { name: "the state does not know all items", make: protocol, count: 900, allowedLateness: 0 },
  ])("repeats nothing if the cursor has expired and $name", async ({ make, count, allowedLateness }) => {
    const entries = Array.from({ length: count }, (_, index) => make(`p${index}`, index * minute));
    const outcomes: unknown[] = [];
    for (const kill of [1, 2, 3, 4, 5, 6, 7]) {
      const service: PullService = { entries: entries.slice(0, 1), session: "a" };
      if (count > 500) service.pageSize = 100;
      const { run } = program(service, { allowedLateness });
      const delivered = await run(minute);
      service.entries = entries;
      delivered.push(...(await run(count * minute, kill)));
      service.session = "b";
      const rest = await run((count + 1) * minute).catch((error: unknown) => (error as StoreApiError).status);
      outcomes.push(typeof rest === "number" ? rest : [...delivered, ...rest].toSorted());
    }
    const whole = outcomes.filter((outcome) => outcome !== 400);
    expect(whole).toEqual(whole.map(() => entries.map((_, index) => `p${index}`).toSorted()));
    expect(outcomes).toContain(400);
  });

  it("continues with the range and the page size of its run", async () => {
    const service = { entries: [1, 2, 3, 4, 5].map((n) => protocol(`p${n}`, n)), clock: 10_000 };
    const { client, sent } = pullService(service);
    const options = { since, allowedLateness: second };
    const { state } = await readBatches(client.protocols.pull("S-1", { ...options, limit: 2 }), 2);
    service.clock = 99_000;
    const rest = await readBatches(client.protocols.pull("S-1", { ...options, state, limit: 50 }));
    expect(namesOf(rest.items)).toEqual(["p3", "p4", "p5"]);
    expect(new Set(sent.map(({ query }) => query["to"])).size).toBe(2);
    expect(new Set(sent.map(({ query }) => query["limit"]))).toEqual(new Set(["2"]));
  });
});

describe("a clock", () => {
  const late = [protocol("a", 0), protocol("b", minute)];
  const later = [protocol("c", hour), protocol("d", 2 * hour)];

  it.each([0, minute, 3 * hour])(
    "that was a day ahead loses nothing, allowedLateness %i",
    async (lateness) => {
      const service: PullService = { entries: [...late] };
      const { run } = program(service, { allowedLateness: lateness });
      const delivered = [...(await run(minute + 24 * hour)), ...(await run(2 * minute + 24 * hour))];
      service.entries.push(...later);
      delivered.push(...(await run(3 * hour)), ...(await run(4 * hour)));
      expect(delivered.toSorted()).toEqual(["a", "b", "c", "d"]);
    },
  );

  it.each([0, minute, 3 * hour])(
    "that was a day ahead of the service's loses nothing, even if the next run is later still, allowedLateness %i",
    async (lateness) => {
      const entries = [...late, ...later, protocol("e", 20 * hour), protocol("f", 50 * hour)];
      const service: PullService = { entries };
      const { run } = program(service, { allowedLateness: lateness });
      const delivered: string[] = [];
      for (const [clock, serverClock] of [
        [hour, hour],
        [26 * hour, 2 * hour],
        [48 * hour, 48 * hour],
        [51 * hour, 51 * hour],
      ] as const) {
        service.serverClock = serverClock;
        delivered.push(...(await run(clock)));
      }
      expect(delivered.toSorted()).toEqual(["a", "b", "c", "d", "e", "f"]);
    },
  );

  it("of the service that is before `since` is an error, and the state stays", async () => {
    const service: PullService = { entries: [...late], serverClock: -20_000 * 24 * hour };
    const { run, state } = program(service);
    await expect(run(hour)).rejects.toThrow("the service's clock is before `since`");
    service.serverClock = hour;
    expect(await run(hour)).toEqual(["a", "b"]);
    const before = state();
    service.serverClock = -20_000 * 24 * hour;
    await expect(run(2 * hour)).rejects.toThrow("the service's clock is before `since`");
    expect(state()).toBe(before);
  });

  it("that is ahead of the service's by less than allowedLateness is used", async () => {
    const { run, sent } = program({ entries: [], serverClock: hour }, { allowedLateness: 2 * minute });
    await run(hour + minute);
    expect(sent.map(({ query }) => query["to"])[0]).toBe(new Date(day + hour + minute).toISOString());
    expect(new Set(sent.map(({ query }) => query["to"])).size).toBe(sent.length);
  });

  it("that is a day behind for one run loses nothing", async () => {
    const entries = [...late, ...later];
    const { run } = program({ entries }, { allowedLateness: minute });
    const delivered: string[] = [];
    for (const clock of [2.5 * hour, 2.6 * hour, -21 * hour, 2.7 * hour])
      delivered.push(...(await run(clock)));
    expect(delivered.toSorted()).toEqual(["a", "b", "c", "d"]);
  });

  it("that goes back by less than allowedLateness repeats nothing", async () => {
    const { run } = program({ entries: late }, { allowedLateness: minute });
    const delivered: string[] = [];
    for (const clock of [2 * minute, 1.5 * minute, 3 * minute]) delivered.push(...(await run(clock)));
    expect(delivered).toEqual(["a", "b"]);
  });

  it("that was ahead for thousands of runs falls back to the last run before", async () => {
    const { run, sent } = program({ entries: [] });
    for (let clock = 0; clock < 100; clock += 1) await run(clock * hour);
    for (let clock = 0; clock < 100; clock += 1) await run((1000 + clock) * hour);
    const first = sent.length;
    await run(101 * hour);
    const from = Math.min(...sent.slice(first).map(({ query }) => Date.parse(query["from"] ?? "")));
    expect((from - day) / hour).toBeGreaterThan(80);
    expect((from - day) / hour).toBeLessThanOrEqual(99);
  });

  it("may jump before any run: nothing is lost that appears within allowedLateness", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(100 * minute), fc.nat(9 * second)), { maxLength: 12 }),
        fc.array(
          fc.tuple(
            fc.nat(20 * minute),
            fc.constantFrom(0, 0, 5 * second, -5 * second, 1000 * hour, -1000 * hour),
          ),
        ),
        fc.constantFrom(...endReadings),
        fc.boolean(),
        async (appearing, runs, ends, hasIds) => {
          const make = hasIds ? protocol : anonymous;
          const entries = appearing.map(([at], index) => make(`p${index}`, at));
          const service: PullService = { entries: [], ends };
          const { run } = program(service, { allowedLateness: 20 * second });
          const delivered = new Set<string>();
          let time = 0;
          for (const [step, jump] of [[0, 0], ...runs, [200 * minute, 0], [0, 0]] as const) {
            time += step;
            service.entries = entries.filter(({ at }, index) => at + (appearing[index]?.[1] ?? 0) <= time);
            for (const name of await run(time + jump)) delivered.add(name);
          }
          expect(delivered.size).toBe(entries.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("ends a range that `until` puts into the future", async () => {
    const service: PullService = { entries: [...late] };
    const { run, sent } = program(service, { until: () => new Date(day + 24 * hour) });
    expect(await run(2 * minute)).toEqual(["a", "b"]);
    expect(Date.parse(sent[0]?.query["to"] ?? "")).toBe(day + 2 * minute);
    service.entries.push(...later);
    expect(await run(3 * hour)).toEqual(["c", "d"]);
  });
});

describe("items without an ID", () => {
  const x = (at: number): Entry => ({ at, entry: { name: "x" } });

  it.each([0, hour])(
    "that are equal a day apart are both delivered, allowedLateness %i",
    async (allowedLateness) => {
      const service: PullService = { entries: [x(minute)] };
      const { run } = program(service, { allowedLateness });
      expect(await run(2 * minute)).toEqual(["x"]);
      service.entries.push(x(24 * hour));
      expect(await run(24 * hour + minute)).toEqual(["x"]);
      expect(await run(24 * hour + 2 * minute)).toEqual([]);
    },
  );

  it("that are equal in the range of two runs are delivered or end in an error", async () => {
    for (const at of [0, 1, 500, second, 2 * second, 5 * second, minute]) {
      const service: PullService = { entries: [x(minute)] };
      const { run } = program(service, { allowedLateness: minute });
      expect(await run(2 * minute)).toEqual(["x"]);
      service.entries.push(x(2 * minute + at));
      const outcome = await run(4 * minute).catch(String);
      expect(["x", expect.stringContaining("set `identify`")]).toContainEqual(String(outcome));
    }
  });

  it.each([0, minute])(
    "that are equal on one page end in an error, allowedLateness %i",
    async (allowedLateness) => {
      const { run } = program({ entries: [x(1), x(2)] }, { allowedLateness });
      await expect(run(hour)).rejects.toThrow("two items without an ID are equal");
      await expect(run(hour)).rejects.toBeInstanceOf(PaginationError);
    },
  );

  it("are distinguished by `identify`, which reads what the service sent", async () => {
    const entries = [1, 2].map((n) => ({ at: n, entry: { key: { n } } }));
    const service: PullService = { entries };
    const identify = (item: Record<string, unknown>) => JSON.stringify(item["key"]);
    const { run } = program(service, { identify, allowedLateness: hour });
    expect(await run(minute)).toHaveLength(2);
    expect(await run(minute)).toEqual([]);
    service.entries[0] = { at: 1, entry: { key: { n: 1 }, status: "completed" } };
    expect(await run(minute)).toHaveLength(1);
  });

  it("are delivered once if neighboring ranges only meet in the second that the service compares", async () => {
    const service: PullService = {
      entries: [anonymous("a", 21 * second), anonymous("b", 0)],
      ends: "inclusive",
      precision: second,
    };
    const { run } = program(service, { allowedLateness: 3 * second });
    const delivered = [...(await run(19 * second)), ...(await run(25_001)), ...(await run(hour))];
    expect(delivered).toEqual(["b", "a"]);
  });

  it("may have lost their ID to a shape, and keep it for the pull", async () => {
    const shape = {
      "~standard": { version: 1, vendor: "test", validate: () => ({ value: { name: "x" } }) },
    } as const;
    const service: PullService = { entries: [protocol("a", 1), protocol("b", 2)], clock: minute };
    const { client } = pullService(service, { shapes: { protocol: shape } });
    const first = await readBatches(client.protocols.pull("S-1", { since, allowedLateness: hour }));
    expect(first.items).toEqual([{ name: "x" }, { name: "x" }]);
    service.entries.push(protocol("c", 3));
    const options = { since, allowedLateness: hour, state: first.state };
    expect((await readBatches(client.protocols.pull("S-1", options))).items).toEqual([{ name: "x" }]);
  });

  it("may be any JSON value", async () => {
    const items = [null, 5, "a", [1], { protocolId: "P-1" }];
    const { client } = stubClient(() => json({ externalId: "S-1", items, nextCursor: null }));
    const first = await readBatches(client.protocols.pull("S-1", { since, allowedLateness: 0 }));
    expect(first.items).toEqual(items);
  });

  it("end the run with an error if they are nested too deeply to be compared", async () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const { client } = stubClient(() => new Response(`{"items":[{"a":${deep}}],"nextCursor":null}`));
    const run = readBatches(client.protocols.pull("S-1", { since, allowedLateness: 0 }));
    await expect(run).rejects.toThrow("deeper than 500 levels");
  });
});

describe("photos", () => {
  const photo = (id: string, url: string): Entry => ({
    at: 1,
    entry: { photoId: id, protocolId: "P-1", url },
  });

  it("of the reference server are delivered once by three runs, as protocols are", async () => {
    const ref = createReferenceServer({ store: { stores: 1, protocolsPerStore: 12 } });
    const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch });
    const options = { since: "2020-01-01T00:00:00Z", allowedLateness: 40 * 24 * hour, limit: 5 };
    const first: number[] = [];
    for (const list of [store.protocols, store.photos]) {
      const counts: number[] = [];
      let state: string | undefined;
      for (const _ of [1, 2, 3]) {
        const until = () => ref.clock.now();
        const run = await readBatches<object>(list.pull("S-1", { ...options, until, state }));
        counts.push(run.items.length);
        ({ state } = run);
      }
      expect(counts.slice(1)).toEqual([0, 0]);
      first.push(counts[0] ?? 0);
    }
    expect(first).toEqual([12, expect.toSatisfy((count: number) => count > 12)]);
    expect(ref.journal.violations()).toEqual([]);
  });

  it.each([
    ["comes again in each run", undefined, 1],
    ["does not come again with a `fingerprint` without it", (item: object) => ({ ...item, url: null }), 0],
  ])("a signed URL %s", async (_, fingerprint, expected) => {
    const service: PullService = { entries: [], clock: minute };
    const { client } = pullService(service);
    let state: string | undefined;
    const counts: number[] = [];
    for (const url of ["u1", "u2", "u3"]) {
      service.entries = [photo("a", url)];
      const options = { since, allowedLateness: hour, fingerprint, state };
      const run = await readBatches(client.photos.pull("S-1", options));
      counts.push(run.items.length);
      ({ state } = run);
    }
    expect(counts).toEqual([1, expected, expected]);
  });

  it("without an ID, on a page that begins at the cursor, are distinguished by `identify`", async () => {
    const names = ["a", "b", "c"];
    const { client } = stubClient(({ query }) => {
      const start = Number(query["cursor"] ?? 0);
      const items = names.slice(start, start + 2).map((name) => ({ name }));
      return json({ externalId: "S-1", items, nextCursor: start === 0 ? "1" : null });
    });
    const options = { since, allowedLateness: hour };
    const identify = (item: Record<string, unknown>) => String(item["name"]);
    await expect(readBatches(client.photos.pull("S-1", options))).rejects.toThrow("identify");
    const { items } = await readBatches(client.photos.pull("S-1", { ...options, identify }));
    expect(namesOf(items)).toEqual(names);
  });
});

describe("the state", () => {
  const entries = Array.from({ length: 40 }, (_, n) => protocol(`p${n}`, n * minute));
  const options = { since, allowedLateness: second };

  it.each([3, Infinity])("is only accepted for the same list, after %d batches", async (count) => {
    const service = { entries, clock: hour };
    const { client } = pullService(service);
    const filtered = { ...options, status: "completed", extra: { a: "1" } } as const;
    const { state } = await readBatches(client.protocols.pull("S-1", filtered), count);
    const other = pullService(service, { baseUrl: "https://other.example" }).client;
    const given = { ...filtered, state };
    const cases: [string, AsyncIterable<never>][] = [
      ["belongs to a list with another `externalId`", client.protocols.pull("S-2", given) as never],
      ["belongs to a list with another `baseUrl`", other.protocols.pull("S-1", given) as never],
      [
        "belongs to a list with another `status`",
        client.protocols.pull("S-1", { ...given, status: "failed" }) as never,
      ],
      [
        "belongs to a list with another `extra.a`",
        client.protocols.pull("S-1", { ...given, extra: { a: "2" } }) as never,
      ],
      ["must be the `state` of a batch of this list", client.photos.pull("S-1", given) as never],
    ];
    for (const [message, pulled] of cases) {
      const failure: unknown = await readBatches(pulled).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(InvalidRequestError);
      expect(String(failure)).toContain(`state: ${message}`);
    }
    const rest = await readBatches(client.protocols.pull("S-1", given));
    expect(rest.items).toHaveLength(count === 3 ? 36 : 0);
  });

  it("depends on the overlap in its size, not on the number of items", async () => {
    const sizes: number[] = [];
    for (const count of [2000, 4000]) {
      const many = Array.from({ length: count }, (_, n) => protocol(`p${n}`, n * second));
      const { run, state } = program({ entries: many, pageSize: 100 }, { allowedLateness: minute });
      await run(count * second);
      sizes.push(state()?.length ?? 0);
    }
    expect(Number(sizes[1]) - Number(sizes[0])).toBeLessThan(100);
  });

  const text = JSON.stringify;
  it.each<readonly [string, (state: string) => unknown]>([
    ["another type", () => 5],
    ["no JSON", () => "{"],
    ["another object", () => "{}"],
    ...[
      { v: 1 },
      { list: null },
      { ends: ["x"] },
      { ends: [9e15] },
      { kept: [1] },
      { kept: [{ from: 1, end: 2, hasIds: true, keys: "é" }] },
      { recent: "abc" },
      { run: {} },
    ].map((change) => [text(change), (state: string) => text({ ...JSON.parse(state), ...change })] as const),
    ...[
      { end: "x" },
      { section: 9 },
      { sections: [{ from: 5, to: 1, isReread: true, log: "kept" }] },
      { sections: [{ from: 1, to: 5, isReread: true, log: "other" }] },
      { resume: 5 },
      { limit: "5" },
      { kept: null },
    ].map((change) => {
      const alter = (state: string): string => {
        const whole = JSON.parse(state) as { run: object };
        return text({ ...whole, run: { ...whole.run, ...change } });
      };
      return [`a run with ${text(change)}`, alter] as const;
    }),
  ])("is rejected if it is %s", async (_, alter) => {
    const { client } = pullService({ entries, clock: hour });
    const { state } = await readBatches(client.protocols.pull("S-1", options), 1);
    const altered = alter(state) as string;
    const run = readBatches(client.protocols.pull("S-1", { ...options, state: altered }));
    await expect(run).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(run).rejects.toThrow("state: must be the `state` of a batch of this list");
  });
});

describe("the options", () => {
  const good = { since: "2026-01-01T00:00:00Z", allowedLateness: 0 };

  it("are rejected if `until` returns no valid Date, and nothing is sent", async () => {
    const { client, sent } = pullService({ entries: [] });
    const wrong = { ...good, until: () => new Date(Number.NaN) };
    await expect(readBatches(client.protocols.pull("S-1", wrong))).rejects.toThrow(
      new ConfigurationError("until must return a valid Date"),
    );
    expect(sent).toEqual([]);
  });

  it("may go back to the year 1, and hold a signal that ends the run", async () => {
    const { run, sent } = program({ entries: [] }, { allowedLateness: Number.MAX_VALUE });
    await run(hour);
    await run(2 * hour);
    expect(sent.at(-1)?.query["from"]).toBe("0001-01-01T00:00:00.000Z");
    const { client } = pullService({ entries: [] });
    const signal = AbortSignal.abort("enough");
    await expect(readBatches(client.protocols.pull("S-1", good, { signal }))).rejects.toBe("enough");
  });

  describe("hold a `since` that", () => {
    const entries = [0, 1, 2].map((hours) => protocol(`p${hours}`, hours * hour));
    const at = (ms: number) => new Date(day + ms);

    it.each([
      ["after a run", 3, undefined],
      ["in an unfinished run", 3, 1],
    ])("was not moved back %s, because no run would read that time", async (_, hours, batches) => {
      const service: PullService = { entries, clock: hours * hour };
      const { client, sent } = pullService(service);
      const options = { allowedLateness: minute, limit: 1 };
      const first = await readBatches(
        client.protocols.pull("S-1", { ...options, since: at(2 * hour - minute) }),
        batches,
      );
      const count = sent.length;
      const again = readBatches(client.protocols.pull("S-1", { ...options, since, state: first.state }));
      await expect(again).rejects.toThrow(InvalidRequestError);
      await expect(again).rejects.toThrow("since: is before that of the first run, 2026-");
      expect(sent).toHaveLength(count);
    });

    it.each([
      ["moves with the clock", 30, 31, 2],
      ["is earlier because the clock went back", 30, 20, 0],
      ["differs by no more than clocks do", 30, 30 - 1 / 60, 0],
    ])("%s", async (_, before, after, delivered) => {
      const service: PullService = {
        entries: [protocol("a", 29 * hour), protocol("b", 30.5 * hour)],
        clock: 0,
      };
      const { client } = pullService(service);
      const options = { allowedLateness: 2 * minute };
      const run = (hours: number, state?: string) => {
        service.clock = hours * hour;
        return readBatches(
          client.protocols.pull("S-1", { ...options, since: at((hours - 2) * hour), state }),
        );
      };
      const { state, items } = await run(before);
      const next = await run(after, state);
      expect(items.length + next.items.length).toBe(delivered === 0 ? 1 : delivered);
    });
  });

  it("yields a batch if there is nothing new", async () => {
    const { client } = pullService({ entries: [], clock: 1000 });
    const read = await readBatches(client.protocols.pull("S-1", { since, allowedLateness: 0 }));
    expect(read).toMatchObject({ items: [], batches: 1 });
  });
});
