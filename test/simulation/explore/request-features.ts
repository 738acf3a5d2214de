/** The features of single requests: tokens, limits, redirects, input, malformed responses. */
import type { ApiName, ClientSetup, Fault, Step, World } from "../scenario.ts";
import { inputsOf } from "../misuses.ts";
import { firstInstant } from "../store-data.ts";
import { usesOf } from "../uses.ts";
import { createRandom } from "../../models/random.ts";
import { fleetStep } from "../generate-fleet.ts";
import { storeStep } from "../generate-store.ts";
import { type Draft, exposition, type Feature, transport } from "./feature.ts";
import { marks, texts } from "./texts.ts";

function redirectsTo(hosts: string, isForbidden: boolean): Fault[] {
  return hosts
    .split(" ")
    .map((host) => ({ kind: "redirect", status: 302, foreign: true, host, isForbidden }));
}

/** Redirects that a read follows, or must not follow. */
const redirects: readonly Fault[] = [
  ...redirectsTo("127.0.0.1 10.0.0.5 172.16.0.1 172.31.0.9 192.168.0.1 100.64.0.1 100.127.0.1", true),
  ...redirectsTo("169.254.169.254 0.0.0.0 [::1] [::] [fd00::1] [fe80::1] [::ffff:10.0.0.1]", true),
  ...redirectsTo("[64:ff9b::7f00:1] [2002:7f00:1::] localhost printer a.local b.internal", true),
  ...redirectsTo("100.63.0.1 100.128.0.1 172.15.0.1 172.32.0.1 169.253.0.1 192.167.0.1", false),
  ...redirectsTo("11.0.0.1 [2001:db8::1] [::7f00:1:1] [64:ff9b::7f00:1:1]", false),
  // public addresses that have the form of a private one in another place
  ...redirectsTo(
    "[2001:db8::fd00:1] [2001:2002:7f00:1::1] [2001:db8::ffff:10.0.0.1] [1:64:ff9b::7f00:1]",
    false,
  ),
  ...redirectsTo("[::ffff:0:7f00:1] [::127.0.0.1] [febf::1] [fec0::1]", true),
  ...redirectsTo("11.100.0.1 99.64.0.1 126.0.0.1 168.254.0.1 171.16.0.1 191.168.0.1", false),
  ...[301, 303, 308].map((status): Fault => ({ kind: "redirect", status, foreign: false })),
  { kind: "redirect", status: 302, foreign: false, location: "{path}" },
  { kind: "redirect", status: 302, foreign: false, hops: 5 },
  { kind: "redirect", status: 302, foreign: true, hops: 5 },
  { kind: "redirect", status: 302, foreign: false, hops: 6, isForbidden: true },
  ...[
    "http://{host}{path}",
    "https://user@{host}{path}",
    "https://:pw@{host}{path}",
    "ftp://{host}{path}",
  ].map(
    (location): Fault => ({ kind: "redirect", status: 302, foreign: false, location, isForbidden: true }),
  ),
  { kind: "redirect", status: 302, foreign: false, location: null, isForbidden: true },
  { kind: "redirect", status: 302, foreign: false, location: "https://[", isForbidden: true },
  { kind: "redirect", status: 304, foreign: false, isForbidden: true },
];

/** Reads and writes whose response is a redirect. */
const redirected: Feature = {
  api: "fleet",
  data: [{ entities: 2 }, { entities: 2 }],
  gaps: [],
  faults: [{ kind: "lose" }],
  changes: [],
  make: (pick) => {
    const fault = pick.any(...redirects);
    const redirect = pick.any("follow", "manual", "error");
    const isFollowed = redirect === "follow";
    const step = isFollowed
      ? pick.any<Step>(
          { do: "call", method: "vehicles.get", args: ["$vehicles.0"] },
          { do: "call", method: "fetch", args: ["GET", "/vehicles"] },
          { do: "call", method: "vehicles.delete", args: ["$vehicles.0"] },
          { do: "call", method: "vehicles.create", args: [{ plateNumber: "P", brand: "MAN" }] },
        )
      : ({ do: "call", method: "fetch", args: ["GET", "/vehicles", null, redirect] } as const);
    return {
      faults: { 1: isFollowed ? fault : { ...fault, isForbidden: true } },
      programs: [[step]],
      client: { via: pick.any("transport", "fetch") },
    };
  },
};

/** Redirects to the same path, with the query of the request or without a part of it: only a program may read another page. */
const requeried: Feature = {
  ...redirected,
  make: (pick) => {
    const [location, isOther] = pick.any(
      ["{path}&a=1", false],
      ["{path}", false],
      ["{pathname}", true],
      ["{pathname}?limit=3", true],
      ["{pathname}?limit=3&limit=2", false],
    );
    const step = pick.any<Step>(
      { do: "call", method: "vehicles.list", args: [{ limit: 2 }] },
      { do: "call", method: "fetch", args: ["GET", "/vehicles?limit=2"] },
    );
    const isForbidden = isOther && step.do === "call" && step.method !== "fetch";
    const fault = { kind: "redirect", status: 302, foreign: false, location, isForbidden } as const;
    return { faults: { 1: fault }, programs: [[step]], client: { via: pick.any("transport", "fetch") } };
  },
};

/** Browsers hide the target of a redirect: a client follows it only if its token may be sent to the whole origin. */
function browsed(api: ApiName): Feature {
  const [path, read, remove] =
    api === "store"
      ? (["/v1/stores/S-000", "stores.get", "stores.upsert"] as const)
      : (["/vehicles", "vehicles.get", "vehicles.delete"] as const);
  const id = api === "store" ? "S-000" : "$vehicles.0";
  return {
    api,
    data: [{ entities: 2 }, { entities: 2 }],
    gaps: [],
    faults: [{ kind: "lose" }],
    changes: [],
    make: (pick) => {
      const step = pick.any<Step>(
        { do: "call", method: read, args: [id] },
        { do: "call", method: "fetch", args: ["GET", path] },
        { do: "call", method: remove, args: api === "store" ? [id, { name: "A" }] : [id] },
        { do: "call", method: "fetch", args: ["GET", path, null, "manual"] },
        { do: "call", method: "fetch", args: ["GET", path, null, "error"] },
      );
      const isFollowed =
        api === "store" && step.do === "call" && step.method !== remove && step.args.length < 4;
      const fault = { kind: "redirect", status: 302, foreign: false, isForbidden: !isFollowed } as const;
      return {
        faults: { 1: fault },
        programs: [[step]],
        client: { via: pick.any("transport", "fetch"), isBrowser: true },
      };
    },
  };
}

/** Calls of a client that is drained. */
const drained: Feature = {
  api: "fleet",
  data: [{ entities: 2 }, { entities: 2 }],
  gaps: [],
  faults: [
    { kind: "lose" },
    { kind: "status", status: 503, acts: false, retryAfter: { seconds: 1, date: false } },
  ],
  changes: [],
  make: (pick) => {
    const get: Step = { do: "call", method: "vehicles.get", args: ["$vehicles.0"] };
    const walk: Step = { do: "walk", method: "vehicles.list", path: [], query: { limit: 1 }, by: "items" };
    const drain: Step = { do: "drain", method: "drain", wait: pick.any(0, 10, 20, 30, 500) };
    const client = pick.any<Partial<ClientSetup>>(
      {},
      { maxConcurrency: 1 },
      { limiter: 200, bucket: true },
      { hooks: "log" },
      { token: 60 },
    );
    return { programs: [[get, get], [walk], [drain, { ...drain, wait: 0 }, get]], client };
  },
};

const rotation: Feature = {
  api: "fleet",
  data: [{ entities: 3 }],
  gaps: ["limits.fleet-rate"],
  faults: [...transport, { kind: "slow", ms: 700 }],
  changes: [{ kind: "revoke" }],
  make: (pick) => {
    const token = pick.any<ClientSetup["token"]>(0, 60, "fixed", "stuck");
    const client = {
      token,
      ...pick.any({ limiter: 15 }, { limiter: 15, bucket: true }, {}),
      ...pick.mostly(
        {},
        { maxConcurrency: 1 },
        { retries: 0 },
        { totalTimeout: 100 },
        { hooks: "throw" },
        { hooks: "silent" },
        { maxDelay: 500 },
        { ignoresAbort: true },
        { ignoresAbort: true, hooks: "log" },
        { hooks: "log" },
      ),
    } as Partial<ClientSetup>;
    const get: Step = { do: "call", method: "vehicles.get", args: ["$vehicles.0"] };
    const create: Step = {
      do: "call",
      method: "vehicles.create",
      args: [{ plateNumber: "P", brand: "MAN" }],
    };
    const remove: Step = { do: "call", method: "vehicles.delete", args: ["$vehicles.1"] };
    const programs = pick.any<Step[][]>([[get, get], [get]], [[create], [get]], [[remove, create]]);
    return { programs, client: { timeout: 500, ...client } };
  },
};

/** Keys of two environments, and a vault whose errors show the key. */
const keys: Feature = {
  api: "fleet",
  data: [{ entities: 3 }, { entities: 3 }],
  gaps: [],
  faults: [{ kind: "lose" }, { kind: "status", status: 401, acts: false }],
  changes: [{ kind: "revoke" }],
  make: (pick) => {
    const get: Step = { do: "call", method: "vehicles.get", args: ["$vehicles.0"] };
    const fetch: Step = { do: "call", method: "fetch", args: ["GET", "/vehicles"] };
    const walk = { do: "walk", method: "vehicles.list", path: [], query: { limit: 2 } } as const;
    const steps = pick.any<readonly Step[]>(
      [{ ...walk, by: "items" }],
      [{ ...walk, by: "pages", kills: [1] }],
      [{ ...walk, by: "items", ahead: 2 }],
      [fetch, fetch],
      [{ do: "write", method: "ensure", desired: [{ plateNumber: "NEW 1", brand: "MAN" }] }],
    );
    const leaky: Partial<ClientSetup> = { token: "leaky", via: pick.any("transport", "fetch") };
    return pick.any(false, true)
      ? { programs: [[get, get, get]], client: leaky }
      : { programs: [steps], client: { token: "switched" } };
  },
};

/** Calls that wait for the same new token, and give up. */
const waiting: Feature = {
  api: "fleet",
  data: [{ entities: 2 }, { entities: 2 }],
  gaps: [],
  faults: [{ kind: "lose" }, { kind: "status", status: 401, acts: false }],
  changes: [{ kind: "revoke" }],
  make: (pick) => {
    const get: Step = { do: "call", method: "vehicles.get", args: ["$vehicles.0"] };
    const first = { ...get, abort: pick.any(15, 30, 60) };
    const others = pick.any<Step[][]>([[get]], [[{ ...get, abort: 40 }]], [[get], [{ ...get, abort: 40 }]]);
    const late: Step = { ...get, wait: pick.any(20, 300) };
    const token = pick.any(60, 25);
    return { programs: [[first], ...others, [late, get]], client: { token, timeout: 500 } };
  },
};

/** A token function that returns an old token until that is refused. */
const cached: Feature = {
  ...waiting,
  samples: 400,
  make: (pick) => {
    const drafts = [rotation, waiting].map(({ make }) => make(pick, rotation.data[0] as World));
    const { client, ...draft } = pick.any(...drafts);
    return { ...draft, client: { ...client, token: "cached" } };
  },
};

const fetched: Feature = {
  api: "store",
  data: [{ entities: 1 }],
  gaps: ["limits.store-rate"],
  faults: [...transport, { kind: "status", status: 503, acts: false, code: "not_configured" }],
  changes: [{ kind: "revoke" }],
  make: (pick) => {
    const via = pick.any("transport", "fetch");
    const token = pick.any<"fixed" | number>("fixed", 5);
    const body = { name: "Fetched" };
    const get: Step = { do: "call", method: "fetch", args: ["GET", "/v1/stores/S-000"] };
    const put: Step = { do: "call", method: "fetch", args: ["PUT", "/v1/stores/S-000", body] };
    const post: Step = { do: "call", method: "fetch", args: ["POST", "/v1/stores/S-000", body] };
    const list = { expositions: [exposition("New")] };
    const upsert = (path: string): Step => ({ do: "call", method: "fetch", args: ["PUT", path, list] });
    const late = pick.mostly({}, { abort: 15 }, { abort: 35 });
    const client = pick.mostly({}, { maxResponseBytes: 50 }, { totalTimeout: 40 }, { limiter: 15 });
    const status = pick.mostly(200, 600, 999, 199, 100, 204, 205, 304);
    const isPossible = via === "transport" || (status > 200 && status < 600);
    const faults: Draft["faults"] =
      status !== 200 && isPossible ? { 1: { kind: "status", status, acts: false } } : {};
    const step = pick.any(
      get,
      put,
      post,
      { ...put, args: ["PUT", "/v1/stores/S-000", { name: "Fetched", externalId: "N-9" }] },
      { ...get, args: ["DELETE", "/v1/stores/S-000"] },
      upsert("/v1/stores/S-000/expositions"),
      upsert("/v1/stores/S-000/expositions/"),
      upsert("/v1//stores/S-000/%65xpositions"),
    );
    return { faults, programs: [[{ ...step, ...late }]], client: { via, token, timeout: 500, ...client } };
  },
};

function misused(api: ApiName, names: readonly string[]): Feature {
  return {
    api,
    data: [{ entities: 3, protocols: 2 }],
    isUnwatched: true,
    gaps: [],
    faults: [],
    changes: [],
    make: (pick) => ({ programs: [[{ do: "misuse", method: pick.any(...names) }]] }),
  };
}

/** The part of an error about a wrong property; without one, about the response `{}`. */
function reasonOf({ do: kind, method }: Step, property?: string): string {
  const isNumber = property !== undefined && property !== "data";
  const reasons: Readonly<Record<string, string>> = {
    "walk stores.list": `the response has ${property === undefined ? "no properties" : "`items`, `nextCursor`"}`,
    "walk vehicles.list": isNumber ? "without a `meta.pagination` of" : "without ",
    "call stores.get": "without `storeId`",
    "call contacts.get": "items: must be an array",
    "call vehicles.get": "without the `data` of an envelope",
  };
  return reasons[`${kind} ${method}`] ?? "";
}

/** Reads of one entity and of a list, whose responses have another type than the contract says. */
function malformed(api: ApiName): Feature {
  const values: Readonly<Record<string, readonly string[]>> = {
    items: ["{}", "null", '"x"'],
    data: ["5", "null", '"x"'],
    nextCursor: ["5", "{}", '""'],
    pagination: ["5", "[]"],
    currentPage: ["-1", "1.5", '"1"', "null", "9007199254740993"],
    totalPages: ["-1", "1.5", '"1"', "null"],
    totalCount: ["-1", "1.5", '"1"', "null"],
    hasNextPage: ['"true"', "null", "0"],
  };
  const days = { from: new Date(firstInstant - 5000).toISOString(), to: "2026-03-02T00:00:00Z" };
  const name = api === "store" ? "name" : "brand";
  const exact: readonly (readonly [string, "full" | "never"])[] = [
    ["90071992547409931", "full"],
    ["-12345678901234567890", "full"],
    ['"90071992547409931"', "never"],
    ['"a \\\\\\" , 12345678901234567891 ,"', "never"],
  ];
  // the contract shows no type of a vehicle's properties
  const untyped: readonly Fault[] =
    api === "store" ? [{ kind: "wrong", property: name, json: "{}", noticed: "full" }] : [];
  const reads: Readonly<Record<ApiName, readonly Step[]>> = {
    store: [
      { do: "walk", method: "stores.list", path: [], query: { limit: 2 }, by: "pages" },
      { do: "walk", method: "stores.list", path: [], query: { limit: 2, verify: true }, by: "items" },
      { do: "walk", method: "protocols.list", path: ["S-000"], query: { ...days, limit: 2 }, by: "pages" },
      { do: "walk", method: "photos.list", path: ["S-000"], query: { ...days, limit: 2 }, by: "items" },
      { do: "call", method: "stores.get", args: ["S-000"] },
      { do: "call", method: "contacts.get", args: ["S-000"] },
    ],
    fleet: [
      { do: "walk", method: "vehicles.list", path: [], query: { limit: 2 }, by: "pages" },
      { do: "walk", method: "vehicles.list", path: [], query: { limit: 2 }, by: "items", ahead: 2 },
      { do: "call", method: "vehicles.get", args: ["$vehicles.0"] },
    ],
  };
  // gap photos.page-shape: items under another name; a cursor there says nothing if there is a next page anyway
  const otherNames = ['"photos":[{}],', '"data":[{}],', '"photos":[],', '"cursor":"x",', '"cursor":"",'].map(
    (json): Fault => ({
      kind: "wrong",
      property: "",
      pattern: "^\\{",
      json: `{${json}`,
      ...(json.includes("{}") ? { says: "with items or a next page" } : { noticed: "never" }),
    }),
  );
  // on the last page it may name a further one
  const lastNames = ['"cursor":"x",', '"cursor":"",'].map(
    (json): Fault => ({
      kind: "wrong",
      property: "",
      pattern: "^\\{",
      json: `{${json}`,
      ...(json.includes("x") ? { says: "with items or a next page" } : { noticed: "never" }),
    }),
  );
  const wrongIn = (read: Step, hasNext: boolean): Fault[] => [
    ...(read.method === "photos.list" ? (hasNext ? otherNames : lastNames) : []),
    ...Object.entries(values).flatMap(([property, forms]) =>
      forms.map((json): Fault => ({ kind: "wrong", property, json, says: reasonOf(read, property) })),
    ),
    // a walk of protocols compares it with the requested one, the other reads of one store only with `validate: "full"`
    {
      kind: "wrong",
      property: "externalId",
      json: '"S-999"',
      ...(read.method === "protocols.list"
        ? {}
        : { noticed: read.method === "stores.list" ? ("never" as const) : ("full" as const) }),
    },
    { kind: "wrong", property: "externalId", json: '"s-000"', noticed: "never" }, // it may be the same store
    { kind: "wrong", property: "", pattern: "^.*$", json: "{}", says: reasonOf(read) },
  ];
  const wrong: readonly Fault[] = [
    ...exact.map(([json, noticed]): Fault => ({ kind: "wrong", property: name, json, noticed })),
    ...untyped,
    ...texts,
    { kind: "empty" },
    { kind: "html" },
    { kind: "short" },
    ...[202, 203, 205, 206].map((status): Fault => ({ kind: "status", status, acts: false })),
  ];
  return {
    api,
    data: [
      { entities: 3, contacts: 1, protocols: 3 },
      { entities: 3, protocols: 1 },
    ],
    gaps: [],
    faults: [],
    changes: [],
    make: (pick, { protocols }) => {
      const [read, fault] = pick.any(
        ...reads[api].flatMap((step): (readonly [Step, Fault])[] => {
          const marked = step.do === "walk" || api === "fleet" ? marks : [];
          return [...wrong, ...wrongIn(step, protocols > 2), ...marked].map((one) => [step, one]);
        }),
      );
      return {
        faults: { 1: fault },
        programs: [[read]],
        client: {
          ...pick.any({}, { validate: true }, { maxResponseBytes: 100 }),
          via: pick.any("transport", "fetch"),
        },
      };
    },
  };
}

/** A response whose names begin like those of the one before, and in which one of them comes twice. */
const beginsAlike: Feature = {
  api: "store",
  data: [{ entities: 1 }, { entities: 1 }],
  gaps: [],
  faults: [],
  changes: [],
  make: (pick) => {
    const pattern = "^.*$";
    const body = (more: string) =>
      ({
        kind: "wrong",
        property: "",
        pattern,
        json: `{"storeId":"x","externalId":"S-000"${more}}`,
      }) as const;
    const twice = pick.any(',"externalId":"S-000"', ',"storeId":"x"', ',"externalId":"S-000","name":"A"');
    const faults: Draft["faults"] = {
      1: { ...body(',"name":"A"'), noticed: "full" },
      2: { ...body(twice), says: "twice" },
    };
    const get: Step = { do: "call", method: "stores.get", args: ["S-000"] };
    return { faults, programs: [[get, get]], client: { via: pick.any("transport", "fetch") } };
  },
};

function used(api: ApiName): Feature {
  return {
    api,
    data: [{ entities: 3 }],
    gaps: [],
    faults: [],
    changes: [],
    make: (pick) => ({
      programs: [[{ do: "use", method: "use", use: pick.any(...usesOf[api].keys()) }]],
    }),
  };
}

/** Many calls at the same time, with a service that accepts some of them. */
const limited: Feature = {
  api: "fleet",
  data: [{ entities: 3 }, { entities: 2 }],
  gaps: ["limits.fleet-rate"],
  faults: [
    { kind: "lose" },
    { kind: "refuse", code: "ENOTFOUND" },
    { kind: "refuse", code: "EAI_AGAIN" },
    { kind: "status", status: 429, acts: false, retryAfter: { seconds: 40, date: false } },
    { kind: "status", status: 429, acts: false },
    { kind: "status", status: 503, acts: false, retryAfter: { seconds: 1, date: true } },
    { kind: "status", status: 408, acts: false },
  ],
  changes: [{ kind: "revoke" }],
  make: (pick) => {
    const get: Step = { do: "call", method: "vehicles.get", args: ["$vehicles.0"] };
    const create: Step = {
      do: "call",
      method: "vehicles.create",
      args: [{ plateNumber: "P", brand: "MAN" }],
    };
    const late: Step = { ...get, wait: pick.mostly(30, 1000, 12_000) };
    const programs = [[get, late], [create], [{ ...get, ...pick.mostly({}, { abort: 20 }) }]];
    const client: Partial<ClientSetup> = {
      ...pick.mostly(
        {},
        { limiter: 15 },
        { limiter: 15, bucket: true },
        { maxConcurrency: 1 },
        { maxConcurrency: 2 },
      ),
      ...pick.mostly({}, { retries: 0 }, { maxDelay: 500 }, { totalTimeout: 1500 }),
    };
    return { programs, client: { hooks: pick.any("watch", "silent"), ...client } };
  },
};

/** Calls whose attempts end in each sequence of ways. */
function attempted(api: ApiName): Feature {
  const final = new Set([400, 404, 409, 501]); // no other attempt follows
  const ways: readonly (Fault | undefined)[] = [
    undefined,
    { kind: "lose" },
    { kind: "reset" },
    { kind: "refuse", code: "ECONNREFUSED" },
    { kind: "cut" },
    ...[400, 404, 408, 409, 429, 500, 501, 503].map(
      (status): Fault => ({ kind: "status", status, acts: status === 500 }),
    ),
    { kind: "status", status: 503, acts: false, retryAfter: { seconds: 1, date: false } },
  ];

  const steps: Readonly<Record<ApiName, readonly Step[]>> = {
    store: [
      { do: "call", method: "stores.get", args: ["S-000"] },
      { do: "call", method: "stores.upsert", args: ["S-000", { name: "A" }] },
      { do: "call", method: "expositions.upsert", args: ["S-000", [exposition("New")]] },
    ],
    fleet: [
      { do: "call", method: "vehicles.get", args: ["$vehicles.0"] },
      { do: "call", method: "vehicles.create", args: [{ plateNumber: "P", brand: "MAN" }] },
      { do: "call", method: "vehicles.delete", args: ["$vehicles.1"] },
    ],
  };
  return {
    api,
    data: [{ entities: 2 }],
    gaps: [],
    faults: [],
    changes: [],
    make: (pick) => {
      const step = pick.any(...steps[api]);
      const faults: Record<number, Fault> = {};
      for (const number of [1, 2, 3]) {
        const way = number === 3 ? pick.any(undefined, ...ways.slice(-4)) : pick.any(...ways);
        if (way === undefined) break;
        faults[number] = way;
        if (way.kind === "status" && final.has(way.status)) break;
      }
      const rejected = pick.mostly(undefined, "only-429", "with-retry-after", "neither");
      return { faults, programs: [[step]], client: { ...(rejected && { rejected }) } };
    },
  };
}

/** The token of the client in a part of a request: for ever if it is constant, and after its first use if it is not. */
const quoted: Feature = {
  api: "store",
  data: [{ entities: 2 }],
  gaps: [],
  faults: [],
  changes: [],
  make: (pick) => {
    const token = "$token.0";
    const step = pick.any<Step>(
      ...(
        [
          ["stores.get", [`${token}\ud800`]],
          ["stores.get", [token]],
          ["stores.get", [`../${token}`]],
          ["stores.list", [{ [token]: 1 }]],
          ["stores.list", [{ cursor: token }]],
          ["stores.list", [{ extra: { [token]: 5 } }]],
          ["protocols.list", ["S-000", { from: token, to: token }]],
          ["stores.upsert", ["S-000", { [token]: 5 }]],
          ["stores.upsert", ["S-000", { name: token, location: 5 }]],
          ["contacts.replace", ["S-000", [{ [token]: 5 }]]],
          ["fetch", ["GET", `/v1/${token}`]],
          ["fetch", ["GET", `.other.example/${token}`]],
          ["fetch", ["GET", `/v1/stores/${token}`]],
        ] as const
      ).map(([method, args]): Step => ({ do: "call", method, args })),
    );
    const get: Step = { do: "call", method: "stores.get", args: ["S-000"] };
    const client: Partial<ClientSetup> = {
      via: pick.any("transport", "fetch"),
      hooks: pick.any("watch", "log"),
    };
    return pick.any(
      { programs: [[step]], client },
      { programs: [[get, step]], client },
      { programs: [[get, step]], client: { ...client, token: 5 } },
    );
  },
};

/** A service that accepts no request for a long time. */
const refused: Feature = {
  api: "fleet",
  data: [{ entities: 1, accepts: 0 }],
  gaps: [],
  faults: [],
  changes: [],
  make: (pick) => ({
    programs: [[{ do: "call", method: "vehicles.get", args: ["$vehicles.0"] }]],
    client: pick.any<Partial<ClientSetup>>({}, { maxDelay: 1000 }, { totalTimeout: 400_000 }, { retries: 0 }),
  }),
};

/** More calls at the same time than the service accepts. */
const crowded: Feature = {
  enough: 80,
  api: "fleet",
  data: [{ entities: 1, accepts: 5 }, { entities: 1, accepts: 20 }, { entities: 1 }],
  gaps: [],
  faults: [],
  changes: [],
  make: (pick, { accepts }) => {
    const bucket = { limiter: 100, bucket: true };
    const number = [5, 20].indexOf(accepts ?? Infinity);
    // for a service that accepts 5 or 20 in a second, and any number: the ms, and the responses with status 429
    const crowd = (
      calls: number,
      client: Partial<ClientSetup>,
      ms: readonly number[],
      refusals: readonly number[],
    ) => ({ calls, client, ms: ms.at(number) ?? 0, refusals: refusals.at(number) ?? 0 }) as const;
    const { calls, client, ms, refusals } = pick.any(
      crowd(1, {}, [18, 18, 18], [0, 0, 0]),
      crowd(60, {}, [14_166, 4157, 40], [57, 41, 0]),
      crowd(60, bucket, [18_358, 5815, 5815], [2, 0, 0]),
      crowd(200, {}, [48_897, 11_928, 40], [200, 181, 0]),
      crowd(30, { ...bucket, maxConcurrency: 2 }, [9841, 2825, 2825], [2, 0, 0]),
    );
    const most = ms * 1.03;
    const step = {
      do: "crowd",
      method: "vehicles.get",
      calls,
      duration: [ms * 0.97, most],
      refusals,
    } as const;
    // after some minutes a limiter has forgotten the first crowd, or its bucket is full
    const { refusals: _, ...later } = { ...step, wait: 600_000, duration: [0, most] } as const;
    const others = client.limiter === undefined ? { ...step, wait: 600_000 } : later;
    const again: Step[] = calls > 1 && pick.any(false, true) ? [others] : [];
    return { programs: [[step, ...again]], client };
  },
};

/** Resume tokens and states that were changed. */
function tampered(api: ApiName): Feature {
  return {
    api,
    data: [{ entities: 4, protocols: 4, spacing: 5000 }],
    gaps: [],
    faults: [],
    changes: [],
    make: (pick, { protocols, spacing }) => {
      const range = { from: new Date(firstInstant - 5000).toISOString(), to: "2030-01-01T00:00:00.000Z" };
      const walk = {
        do: "walk",
        path: ["S-000"],
        by: "pages",
        kills: pick.any([1], [2], [3]),
        isTampered: true,
      } as const;
      const until = (part: number): number => firstInstant + part * protocols * spacing;
      const last = { until: until(2), isTampered: true } as const;
      const runs = [{ until: until(0.8), kill: { after: 1, saved: true } }, last];
      const since = { since: firstInstant - 5000, lateness: 1000, limit: 2 };
      const steps: Readonly<Record<ApiName, readonly Step[]>> = {
        store: [
          { ...walk, method: "stores.list", path: [], query: { limit: 2 } },
          { ...walk, method: "stores.list", path: [], query: { limit: 2, verify: true } },
          { ...walk, method: "protocols.list", query: { ...range, limit: 2 } },
          { ...walk, method: "photos.list", query: { ...range, limit: 2, verify: true } },
          { do: "pull", method: "protocols.list", ...since, runs },
          {
            do: "pull",
            method: "photos.list",
            ...since,
            runs: [{ until: until(0.8) }, last],
          },
        ],
        fleet: ["heal", "report", "throw"]
          .map(
            (onDrift): Step => ({ ...walk, method: "vehicles.list", path: [], query: { limit: 2, onDrift } }),
          )
          .concat({ ...walk, method: "vehicles.list", path: [], query: { limit: 2, verify: true } }),
      };
      const step = pick.any(...steps[api]);
      const client = step.method === "protocols.list" ? { strategy: pick.any("window", "cursor") } : {};
      return { programs: [[step]], client };
    },
  };
}

/** A property of a response has another value; each operation that the generators of the simulation know, with their arguments. */
function answered(api: ApiName): Feature {
  const values = ["null", "true", "-1", "1.5", '""', '"x"', "[]", "[null]", "{}", null];
  const world = { entities: 3, unnamed: 1, protocols: 4, spacing: 5000, pairs: false, contacts: 1 };
  return {
    api,
    data: [world, world],
    gaps: [],
    faults: [],
    changes: [],
    make: (pick) => {
      const random = createRandom(pick.any(...Array(1200).keys()));
      const draft = { random, world, readings: {}, configuredGaps: [] };
      const step = (api === "store" ? storeStep : fleetStep)(draft);
      const fault: Fault = { kind: "property", at: random.integer(0, 15), json: random.pick(values) };
      const client: Partial<ClientSetup> = {
        via: random.pick(["transport", "fetch"]),
        validate: random.chance(0.3),
      };
      return { faults: { [random.pick([1, 1, 2])]: fault }, programs: [[step]], client };
    },
  };
}

export const requestFeatures: Readonly<Record<string, Feature>> = {
  "wrong input to stores": misused("store", inputsOf("store")),
  "wrong input to fleet": misused("fleet", inputsOf("fleet")),
  "token rotation": rotation,
  "keys of two environments": keys,
  "calls that wait for a token": waiting,
  "tokens of a cache": cached,
  "client.fetch": fetched,
  "tokens in requests": quoted,
  redirects: redirected,
  "redirects with a query": requeried,
  "redirects in browsers, stores": browsed("store"),
  "redirects in browsers, fleet": browsed("fleet"),
  "a drained client": drained,
  "many calls": limited,
  "attempts at stores": attempted("store"),
  "attempts at fleet": attempted("fleet"),
  "a service that refuses": refused,
  "a crowd of calls": crowded,
  "malformed responses of stores": malformed("store"),
  "malformed responses of fleet": malformed("fleet"),
  "any response of stores": answered("store"),
  "any response of fleet": answered("fleet"),
  "names of two responses": beginsAlike,
  "requests to stores": used("store"),
  "requests to fleet": used("fleet"),
  "changed tokens of stores": tampered("store"),
  "changed tokens of fleet": tampered("fleet"),
};
