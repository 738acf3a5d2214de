/** Calls at the edges of what a program may give: functions that fail, values that cannot be sent, edited plans, other times. */
import { inspect } from "node:util";
import { applyPlan, FleetClient, planStores, ShelfleetError, StoreClient } from "../../src/index.ts";
import type { Transport } from "../../src/client/core/transport/transport.ts";
import { raw } from "../../src/client/raw/index.ts";
import { endOf } from "./calls.ts";
import { idleRuntime } from "./clock.ts";
import type { Tried } from "./shape-values.ts";
import { firstInstant, storeId } from "./store-data.ts";
import { kinds } from "./wrong-values.ts";

const id = storeId(0);
const secret = `acme_${"5".repeat(64)}`;
const places = {
  store: "https://h.example",
  fleet: "https://h.example/api/third-party/v1",
} as const;

/** An array in an array, so many levels deep. */
function nest(levels: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

/** A transport that returns an empty object for every request, and what it was sent. */
function standIn(status = 200): { readonly transport: Transport; readonly sent: string[] } {
  const sent: string[] = [];
  const read = async () => ({ bytes: new TextEncoder().encode("{}"), complete: true });
  const transport: Transport = async ({ headers }) => {
    sent.push(`${headers["authorization"]} ${headers["x-trace"]}`);
    return { status, headers: new Headers({ "retry-after": "0" }), read };
  };
  return { transport, sent };
}

/** Everything that an error shows, from the outside to the inside. */
function show(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error, { breakLength: Infinity });
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  const own = Object.keys(error).filter((name) => !(error instanceof ShelfleetError) && name !== "code");
  const parts = [`${error.name}: ${error.message}`, code === undefined ? "" : `code ${show(code)}`, ...own];
  return [...parts, cause === undefined ? "" : `from ${show(cause)}`]
    .filter((part) => part !== "")
    .join(", ");
}

async function outcomeOf(call: PromiseLike<unknown>): Promise<string> {
  const ending = await endOf(Promise.resolve(call));
  return "error" in ending ? show(ending.error) : "a response";
}

/** The clients of both APIs with a function that returns the token. */
function clientWith(api: "store" | "fleet", token: () => unknown, transport: Transport) {
  const common = { baseUrl: places[api], transport, runtime: idleRuntime, retry: 0 };
  const source = token as () => string; // some return another value
  if (api === "store") {
    const { stores } = new StoreClient({ ...common, token: source });
    return () => stores.get(id);
  }
  const { vehicles } = new FleetClient({ ...common, key: source });
  return () => vehicles.get(id);
}

const failing = (): never => {
  throw new Error("it cannot be read");
};
const chain = (levels: number): Error =>
  new Error(levels === 0 ? secret : "outside", levels === 0 ? {} : { cause: chain(levels - 1) });
const tree = (levels: number): object => (levels === 0 ? { secret } : { inner: tree(levels - 1) });

const cycle: Error & { self?: Error } = new Error("the vault is closed");
cycle.self = cycle;

/** The values that a token function throws when the client knows its token. */
const thrown: Readonly<Record<string, unknown>> = {
  plain: new Error("the vault is closed"),
  "a token": new Error(`no ${secret}`),
  "a part of the token": new Error(`no ${secret.slice(0, 40)}`),
  "a token and no message": Object.assign(new Error(""), { code: `E-${secret}` }),
  "a token in its name": Object.assign(new Error("x"), { name: secret }),
  "a name that is a number": Object.assign(new Error(secret), { name: 5, code: 7 }),
  "a token in a name of a property": Object.assign(new Error("x"), { [secret]: 1 }),
  "several errors": new AggregateError([new Error(secret), new Error("second")], "several"),
  "several errors and a cause": Object.assign(new AggregateError([1], secret), { cause: "first" }),
  "no errors": Object.assign(new Error(secret), { errors: [] }),
  "lines of a terminal": new Error(`${secret}\n\u001b[31mred`),
  "a property that fails": Object.defineProperty(new Error("x"), "config", {
    get: failing,
    enumerable: true,
  }),
  "a message that fails": Object.defineProperty(new Error("x"), "message", { get: failing }),
  "a proxy": new Proxy({}, { get: failing, ownKeys: failing, getPrototypeOf: () => null }),
  "a map": new Map([[secret, 1]]),
  "a set": Object.assign(new Error("x"), { tokens: new Set([[secret]]) }),
  "an iterator": Object.assign(new Error("x"), {
    lines: { [Symbol.iterator]: () => failing(), next: failing },
  }),
  "a cycle": cycle,
  "a text": secret,
  "a number": 5,
  null: null,
  "an object": { code: "E1", secret },
  "an object without a code": { secret },
  ...Object.fromEntries([3, 4, 5, 6].map((levels) => [`a chain of ${levels}`, chain(levels)])),
  ...Object.fromEntries([3, 4, 5, 6].map((levels) => [`a tree of ${levels}`, tree(levels)])),
};

/** The values that token functions return, and those that they throw. */
function tokens(api: "store" | "fleet"): Record<string, Tried<unknown>> {
  const forms = { key: secret, "a line": "a\nb", "a letter": "ż", "another key": "acme_test_5" };
  return {
    "the value of the token function": {
      values: { ...kinds, ...forms },
      run: async (_, __, value: unknown) => {
        const { transport, sent } = standIn();
        return [await outcomeOf(clientWith(api, () => value, transport)()), ...sent].join("; ");
      },
    },
    "the error of the token function": {
      values: Object.fromEntries(Object.keys(thrown).map((name) => [name, name])),
      run: async (_, __, name: string) => {
        const { transport } = standIn();
        let count = 0;
        const token = (): string => {
          count += 1;
          if (count > 1) throw thrown[name];
          return secret;
        };
        const call = clientWith(api, token, transport);
        await outcomeOf(call());
        return outcomeOf(call());
      },
    },
  };
}

type Behavior = object;

/** A limiter that is not told about refusals. */

/** Hooks and limiters that do what they must not do, or that end the call. */
const behaviors: Readonly<Record<string, (end: () => void) => { hooks?: Behavior; limiter?: Behavior }>> = {
  "a header": () => ({ hooks: { onSend: ({ headers }: HookedRequest) => (headers["x-trace"] = "1") } }),
  "a wrong header": () => ({ hooks: { onSend: ({ headers }: HookedRequest) => (headers["a b"] = "1") } }),
  "a token in a header": () => ({
    hooks: { onSend: ({ headers }: HookedRequest) => (headers["authorization"] = "Bearer other") },
  }),
  "a late header": () => ({
    hooks: {
      onSend: async ({ headers }: HookedRequest) => {
        await Promise.resolve();
        headers["x-trace"] = "late";
      },
    },
  }),
  "an abort when it begins": (end) => ({ hooks: { onCall: end } }),
  "an abort before it is sent": (end) => ({ hooks: { onSend: end } }),
  "an abort when it is sent": (end) => ({ hooks: { onRequest: end } }),
  "an abort when it has a response": (end) => ({ hooks: { onResponse: end } }),
  "an abort by the limiter": (end) => ({ limiter: { acquire: async () => end() } }),
  "a limiter that fails": () => ({ limiter: { acquire: async () => failing() } }),
  "a limiter that fails when it is throttled": () => ({
    limiter: { acquire: async () => {}, onThrottled: failing },
  }),
  "a limiter that rejects when it is throttled": () => ({
    limiter: { acquire: async () => {}, onThrottled: async () => failing() },
  }),
  "a limiter that is asked first": () => ({
    limiter: { acquire: async () => failing(), tryAcquire: () => true },
  }),
};

interface HookedRequest {
  readonly headers: Record<string, string>;
}

const hooked: Tried<unknown> = {
  values: Object.fromEntries(
    Object.keys(behaviors).flatMap((name) =>
      [200, 429].map((status) => [`${name} ${status}`, [name, status]]),
    ),
  ),
  run: async (_, __, [name, status]: readonly [string, number]) => {
    const { transport, sent } = standIn(status);
    const controller = new AbortController();
    const { hooks, limiter } = behaviors[name]?.(() => controller.abort(new RangeError("given up"))) ?? {};
    const failures: string[] = [];
    const events: string[] = [];
    const onHookError = (error: unknown, hook: string): void => void failures.push(`${hook} ${show(error)}`);
    const onSettled = ({ attempt, status: own, error }: Readonly<Record<string, unknown>>): void =>
      void events.push(`${String(attempt)} ${String(own)} ${show(error)}`);
    const onCallEnd = ({ attempts }: Readonly<Record<string, unknown>>): void =>
      void events.push(`${String(attempts)} attempts`);
    const options = { hooks: { onSettled, onCallEnd, ...hooks, onHookError }, ...(limiter && { limiter }) };
    const common = { baseUrl: places.store, token: "a-token", transport, runtime: idleRuntime, retry: 0 };
    const { stores } = new StoreClient({ ...common, ...options } as never); // some are wrong
    const ending = await outcomeOf(stores.get(id, { signal: controller.signal }));
    await Promise.resolve();
    return [ending, ...sent, ...events, ...failures].join("; ");
  },
};

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;

/** Values of a body that JSON does not have, or has in another form. */
const bodies: Readonly<Record<string, unknown>> = {
  bigint: 5n,
  cyclic,
  "toJSON that fails": { toJSON: failing },
  "toJSON of a number": { toJSON: () => 5 },
  symbol: Symbol("x"),
  date: new Date(0),
  map: new Map(),
  "undefined in an array": [undefined],
  sparse: Array(1),
  "-0": -0,
  NaN: Number.NaN,
  "half a pair": "\ud800",
  ...Object.fromEntries([400, 600, 100_000].map((levels) => [`${levels} levels`, nest(levels)])),
};

function without(values: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
}

const fetched: Readonly<Record<string, readonly [path: string, init?: object]>> = {
  "a wrong address": ["https://["],
  "a user": ["https://user:pw@store.example/v1/stores"],
  "a wrong method": ["/v1/stores", { method: "a b" }],
  "a method of no operation": ["/v1/stores", { method: "DELETE" }],
  "a body that is not UTF-8": [`/v1/stores/${id}`, { method: "PUT", body: Uint8Array.of(0xff) }],
  "a body that is not JSON": [`/v1/stores/${id}`, { method: "PUT", body: "{" }],
  "a wrong header": ["/v1/stores", { headers: { "a b": "x" } }],
  "a token": ["/v1/stores", { headers: { authorization: "Bearer x" } }],
  "half an escape": ["/v1/stores/%zz"],
  "half an escape of UTF-8": ["/v1/stores/%ff"],
  "escaped letters": ["/v1/%73tores/S-000"],
  "a path above": ["/v1/../../v1/stores"],
  "dots in a query": ["/v1/stores?limit=/../2"],
  "dots in a fragment": ["/v1/stores#/../a"],
  "an ended signal": ["/v1/stores", { signal: AbortSignal.abort(new RangeError("given up")) }],
  "an ended signal and a body": [
    `/v1/stores/${id}`,
    { method: "PUT", body: "{}", signal: AbortSignal.abort(new RangeError("given up")) },
  ],
};

const from = new Date(firstInstant).toISOString();
const exposition = { label: "One", productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS" };

export const storeEdges: Readonly<Record<string, Tried<StoreClient>>> = {
  ...tokens("store"),
  "a program that has": hooked,
  "stores.upsert: a value of an open property": {
    values: without(bodies, "cyclic"), // its message has several lines
    run: ({ stores }, options, value) =>
      stores.upsert("N-1", { openingTimes: [{ open: value }] } as never, options),
  },
  "the result of fingerprint": {
    values: without(bodies, "toJSON that fails"),
    run: ({ protocols }, options, value) =>
      protocols.pull(id, { since: from, allowedLateness: 0, fingerprint: () => value }, options),
  },
  "fetch with": {
    values: fetched,
    run: async ({ fetch, baseUrl }, _, [path, init]: readonly [string, object?]) => {
      const ending = await endOf(fetch(path.startsWith("/") ? baseUrl + path : path, init));
      return "error" in ending ? show(ending.error) : `${(ending.value as Response).status}`;
    },
  },
  "raw requests": {
    values: { store: id, nobody: "none", "a dot": ".", "a slash": "a/b" },
    run: async (client, options, externalId: string) => {
      const { data, error, response } = await raw(client).GET("/v1/stores/{externalId}", {
        ...options,
        params: { path: { externalId } },
      });
      return `${response.status} ${JSON.stringify(data ?? error)}`;
    },
  },
  "what is shown of": {
    values: { list: {}, "list of": { limit: 2, extra: { a: "1" } }, range: { from, to: from } },
    run: ({ stores, protocols }, options, query: Readonly<Record<string, string>>) => {
      const list =
        "from" in query ? protocols.list(id, query as never, options) : stores.list(query, options);
      return `${inspect(list)} ${Object.prototype.toString.call(list)}`;
    },
  },
  ...optionsOf<StoreClient>({
    pages: ({ stores }, options, value) => stores.list({}, options).pages(value),
    items: ({ stores }, options, value) => stores.list({}, options).items(value),
    toArray: ({ stores }, options, value) => stores.list({}, options).toArray(value),
  }),
  "the options of": {
    values: Object.fromEntries(
      Object.entries(kinds).flatMap(([kind, value]) =>
        ["get", "list", "list at once"].map((way) => [`${way} ${kind}`, [way, value]]),
      ),
    ),
    run: async ({ stores }, _, [way, value]: readonly [string, never]) => {
      if (way === "get") return stores.get(id, value).then(() => "accepted");
      const list = stores.list({ limit: 2 }, value);
      return way === "list" ? list : list.take(1).then(() => "accepted");
    },
  },
  "modify a store with": {
    values: {
      "another ID": { externalId: "N-1" },
      "its own ID": { externalId: id },
      "another inner ID": { storeId: "A" },
      "no opening times": { openingTimes: null },
      "an undefined property": { color: undefined },
      "an unknown property": { color: "A" },
    },
    run: async ({ stores }, options, value: object) =>
      `${(await stores.modify(id, () => value, options)).externalId}`,
  },
  "modify without a check, by": {
    values: { "a value": { name: "A" }, "a promise": Promise.resolve({ name: "B" }) },
    run: async ({ stores }, options, value: object) =>
      (await stores.modify(id, () => value, { ...options, check: false })).name,
  },
  "contacts.replace with wrong elements,": {
    values: Object.fromEntries([1, 25, 300_000].map((count) => [`${count} of them`, count])),
    run: ({ contacts }, options, count: number) =>
      contacts.replace(id, Array.from({ length: count }, () => ({})) as never, options),
  },
  "a list with the query": {
    values: {
      "a bigint": { limit: 5n },
      "a bigint in extra": { extra: { a: 5n } },
      "a symbol": { limit: Symbol("a") },
    },
    run: async ({ stores }, options, query: object) => (await stores.list(query, options).toArray()).length,
  },
  "modify with an ended signal": {
    values: { "at once": false, "while another one runs": true },
    run: async ({ stores }, options, isSecond: boolean) => {
      const settled: string[] = [];
      const modify = (name: string, more: object): Promise<unknown> =>
        stores
          .modify(id, (store) => ({ ...store, name }), { ...options, ...more })
          .then(
            () => settled.push(name),
            (error: unknown) => settled.push(show(error)),
          );
      const first = isSecond ? modify("A", {}) : undefined;
      await Promise.all([first, modify("B", { signal: AbortSignal.abort(new RangeError("given up")) })]);
      return settled.join();
    },
  },
  "planStores of an array with": {
    values: { "a number": 5, null: null, "a deep store": { externalId: "A", openingTimes: nest(600) } },
    run: ({ stores }, options, value) => {
      const whole = { isWhole: true, [Symbol.asyncIterator]: () => [value].values() };
      return planStores(
        [{ externalId: "A", name: "N" }],
        (value === undefined ? stores.list({}, options) : whole) as never,
      );
    },
  },
  "planStores of a desired store with": {
    values: {
      "an undefined property": { color: undefined },
      "an undefined list": { contacts: undefined },
      "an undefined name": { name: undefined },
      "a property of a response": { storeId: "A" },
    },
    run: async ({ stores }, options, value: object) => {
      const { update, unchanged } = await planStores(
        [{ externalId: id, ...value }],
        stores.list({}, options),
        options,
      );
      return JSON.stringify({ update, unchanged });
    },
  },
  "planStores of an exposition that fits": {
    values: {
      none: [],
      "another type": ["ROLLS_BREAD_RACK"],
      one: ["FRIDGE_DRINKS"],
      two: ["FRIDGE_DRINKS", "FRIDGE_DRINKS"],
    },
    run: async (client, options, types: readonly string[]) => {
      const stored = types.map((expositionType, at) => ({
        ...exposition,
        expositionType,
        label: `Rack ${at}`,
      }));
      await client.expositions.upsert(id, stored, options);
      const { contacts, expectations, expositions } = client;
      const readings = { "expositions.matching": "type" } as const;
      const store = { contacts, expectations, expositions, readings };
      const { update } = await planStores(
        [{ externalId: id, expositions: [exposition] }],
        client.stores.list({}, options),
        { ...options, store },
      );
      return JSON.stringify(update.map(({ changes }) => changes));
    },
  },
  "applyPlan of an edited": {
    values: {
      "external ID": { changes: { externalId: "A" } },
      "same external ID": { changes: { externalId: id, name: "N" } },
      "other store": { changes: { storeId: "A" } },
      "unknown property": { changes: { color: "A" } },
      nothing: { changes: {} },
      "another store's": { before: { externalId: "A" } },
      "update with another property": { color: "A" },
      "store without ID": { externalId: undefined },
      "store whose ID is a number": { externalId: 5, before: { externalId: 5 } },
      "wrong name": { changes: { name: 5 } },
      contact: { changes: { contacts: [{ name: "A", phone: "1" }] } },
      expectation: { changes: { expectations: [] } },
      exposition: { changes: { expositions: [exposition] } },
      "wrong contact": { changes: { contacts: [{}] } },
      "wrong expectation": { changes: { expectations: [{}] } },
      "wrong exposition": { changes: { expositions: [{}] } },
    },
    run: async (client, options, value: object) => {
      const { storeId: own } = await client.stores.get(id, options);
      const update = [{ externalId: id, before: { externalId: id, storeId: own }, changes: {}, ...value }];
      const results = [true, false].map((dryRun) =>
        applyPlan(client, { create: [], update } as never, { ...options, dryRun }),
      );
      const all = (await Promise.all(results)).flat();
      return all.map(({ outcome, error }) => `${outcome} ${String(error)}`).join();
    },
  },
  "applyPlan of a plan that creates": {
    values: { "what it updates": id, "another store": "N-1" },
    run: async (client, options, externalId: string) => {
      const create = [{ externalId, name: "N", location: "L" }];
      const update = [
        { externalId: id, before: await client.stores.get(id, options), changes: { name: "N" } },
      ];
      const results = await applyPlan(client, { create, update }, { ...options, dryRun: true });
      return results.map(({ outcome, error }) => `${outcome} ${String(error)}`).join();
    },
  },
  "applyPlan of a plan that knows": {
    values: {
      another: [id, "other"],
      nobody: ["none", "other"],
      "the same": [id, ""],
      "letter case": [id, "A"],
    },
    run: async (client, options, [externalId, form]: readonly [string, string]) => {
      const { storeId: own } = await client.stores.get(id, options);
      const known = { externalId, storeId: { "": own, A: own.toUpperCase() }[form] ?? form };
      const plan = { create: [{ externalId: "N-1", name: "N", location: "L" }], update: [], known };
      const results = await applyPlan(client, plan, options);
      return results.map(({ outcome, error }) => `${outcome} ${String(error)}`).join();
    },
  },
  "a pull that begins earlier by": {
    values: Object.fromEntries([0, 1999, 2000, 2001, 3_600_000].map((ms) => [`${ms} ms`, ms])),
    run: async ({ protocols }, options, ms: number) => {
      const until = (): Date => new Date(firstInstant + 86_400_000);
      const read = async (since: number, state?: string): Promise<string> => {
        let last = state ?? "";
        const given = { since: new Date(since), allowedLateness: 1000, until, ...(state && { state }) };
        for await (const batch of protocols.pull(id, given, options)) last = batch.state;
        return last;
      };
      return read(firstInstant - ms, await read(firstInstant)).then(() => "accepted");
    },
  },
};

/** The options of the ways to read a list. */
function optionsOf<Client>(
  ways: Readonly<Record<string, (client: Client, options: object, value: never) => unknown>>,
): Record<string, Tried<Client>> {
  return Object.fromEntries(
    Object.entries(ways).map(([name, run]) => [`${name}: options`, { values: kinds, run }]),
  );
}

export const fleetEdges: Readonly<Record<string, Tried<FleetClient>>> = {
  "fetch of a client with two environments, of": {
    values: { "another place": "https://h.example/x", "another path": `${places.fleet}/%2e%2e/x` },
    run: async (_, __, url: string) => {
      const environments = { production: places.fleet, sandbox: places.fleet.replace("h.", "sandbox.") };
      const { transport } = standIn();
      const { fetch } = new FleetClient({ environments, key: secret, transport, runtime: idleRuntime });
      return outcomeOf(fetch(url));
    },
  },
  ...tokens("fleet"),
  ...optionsOf<FleetClient>({
    pages: ({ vehicles }, options, value) => vehicles.list({}, options).pages(value),
    items: ({ vehicles }, options, value) => vehicles.list({}, options).items(value),
  }),
  "what is shown of": {
    values: { list: {}, "list of": { limit: 2, search: "x" } },
    run: ({ vehicles }, options, query: object) => {
      const list = vehicles.list(query, options);
      return `${inspect(list)} ${Object.prototype.toString.call(list)}`;
    },
  },
};
