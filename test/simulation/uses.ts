/** Calls with the request that each has to send, written from the contract. */
import { FleetClient, planStores, StoreClient, tokenBucket } from "../../src/index.ts";
import { endOf } from "./calls.ts";
import type { SimulatedWorld } from "./client.ts";
import { idleRuntime } from "./clock.ts";
import { callHeader, origins } from "./observer.ts";
import type { UseStep } from "./scenario.ts";

/** The method, the path with its query, and the body. */
type Expected = readonly [method: string, target: string, body?: object];
type Use<Client> = readonly [Expected, (client: Client, options: object) => unknown];

const key = `acme_${"0".repeat(64)}`;
const range = { from: "2026-03-01T00:00:00Z", to: "2027-01-01T00:00:00Z" };
const to = "2027-01-01T00%3A00%3A00Z";

/** Forms of one instant, as a query may have them, and as the request has them. */
const instants: readonly (readonly [unknown, string])[] = [
  ["2026-03-01T23:59:59Z", "2026-03-01T23:59:59Z"],
  ["2026-03-01T23:00Z", "2026-03-01T23:00:00Z"],
  ["2026-03-01T24:00:00Z", "2026-03-02T00:00:00Z"],
  ["2026-03-01T24:00:00.000Z", "2026-03-02T00:00:00.000Z"],
  ["2026-03-01T10:00:00.123456Z", "2026-03-01T10:00:00.123456Z"],
  ["2026-03-01T10:00:00,5-01:30", "2026-03-01T11:30:00.5Z"],
  ["2026-03-01T10:00:00+0130", "2026-03-01T08:30:00Z"],
  ["2026-03-01T10:00:00+23:59", "2026-02-28T10:01:00Z"],
  ["2026-03-01t10:00:00z", "2026-03-01T10:00:00Z"],
  ["2024-02-29T10:00:00Z", "2024-02-29T10:00:00Z"],
  ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"],
  [new Date(Date.UTC(2026, 2, 1)), "2026-03-01T00:00:00.000Z"],
];

const ids: readonly (readonly [string, string])[] = [
  ["S-000", "S-000"],
  ["a b", "a%20b"],
  ["a/b", "a%2Fb"],
  ["ł%", "%C5%82%25"],
  ["...", "..."],
];

/** Numbers, and what the request has. */
const numbers: readonly (readonly [number, string])[] = [
  [0, "0"],
  [12.5, "12.5"],
  [0.000001, "0.000001"],
  [100, "100"],
];

const exposition = "5C4ED01E-0000-4000-a000-000000000001";
const rates = `from=${encodeURIComponent(range.from)}&to=${to}`;

/** Right options: what the client or the limiter made of them. */
const settings: readonly Use<object>[] = [
  ...(
    [
      ["https://h.example/", "https://h.example"],
      ["https://h.example/a//", "https://h.example/a"],
      ["http://localhost:81", "http://localhost:81"],
      ["http://127.0.0.1/v", "http://127.0.0.1/v"],
      ["http://h.example", "http://h.example"],
      [new URL("https://h.example/a/b"), "https://h.example/a/b"],
    ] as const
  ).map(([baseUrl, expected]): Use<object> => {
    const allowInsecure = baseUrl === expected && expected === "http://h.example";
    const options = {
      baseUrl,
      token: "token",
      runtime: idleRuntime,
      ...(allowInsecure ? { allowInsecure } : {}),
    };
    return [["", expected], () => new StoreClient(options).baseUrl];
  }),
  ...[
    { perSecond: 0.001 },
    { perSecond: 5, burst: 1, maxPause: 0 },
    { perSecond: 5, maxPause: 2_147_483_647 },
  ].map(
    (options): Use<object> => [
      ["", "function"],
      () => typeof tokenBucket({ ...options, runtime: idleRuntime }).acquire,
    ],
  ),
  [
    ["", "v2"],
    () => (
      new FleetClient({
        baseUrl: "https://h.example/api/third-party/v1",
        key,
        apiVersion: "v2",
        runtime: idleRuntime,
      }),
      "v2"
    ),
  ],
];

const storeUses: readonly Use<StoreClient>[] = [
  ...settings,
  ...numbers.map(
    ([minFillRate, text]): Use<StoreClient> => [
      ["GET", `/v1/fill-rate?${rates}&minFillRate=${text}`],
      ({ fillRates }, options) => fillRates.across({ ...range, minFillRate }, options),
    ],
  ),
  [
    ["GET", `/v1/fill-rate?${rates}&belowExpectationOnly=false&groupBy=week`],
    ({ fillRates }, options) =>
      fillRates.across({ ...range, belowExpectationOnly: false, groupBy: "week" }, options),
  ],
  [
    ["GET", `/v1/stores/S-000/expositions/${exposition}/fill-rate?${rates}&status=completed`],
    ({ fillRates }, options) =>
      fillRates.forExposition("S-000", exposition, { ...range, status: "completed" }, options),
  ],
  [
    ["GET", `/v1/stores/S-000/photos?${rates}&expositionId=${exposition}&limit=1`],
    ({ photos }, options) => photos.list("S-000", { ...range, expositionId: exposition, limit: 1 }, options),
  ],
  [
    // a list copies its arguments
    ["GET", `/v1/stores/S-000/photos?${rates.replace("00Z", "00.000Z")}&expositionId=${exposition}`],
    ({ photos }, options: { readonly headers?: object }) => {
      const headers = new Headers({ ...options.headers });
      const query = { from: new Date(range.from), to: range.to, expositionId: exposition };
      const list = photos.list("S-000", query, { headers });
      headers.set("X-Own", "other");
      query.from.setTime(0);
      query.to = range.from;
      return list;
    },
  ],
  [["GET", "/v1/stores?limit=100"], ({ stores }, options) => stores.list({ limit: 100 }, options)],
  [
    // a page size leaves no store out
    ["GET", "/v1/stores?limit=2"],
    (store, options) => planStores([], store.stores.list({ limit: 2 }, options), { ...options, store }),
  ],
  [
    ["GET", "/v1/stores?a=1&b=%C5%82+%26"],
    ({ stores }, options) => stores.list({ extra: { a: "1", b: "ł &" }, limit: undefined }, options),
  ],
  ...instants.map(
    ([from, text]): Use<StoreClient> => [
      ["GET", `/v1/stores/S-000/protocols?from=${encodeURIComponent(text)}&to=${to}`],
      ({ protocols }, options) => protocols.list("S-000", { ...range, from } as never, options),
    ],
  ),
  ...ids.map(
    ([id, text]): Use<StoreClient> => [
      ["GET", `/v1/stores/${text}`],
      ({ stores }, options) => stores.get(id, options),
    ],
  ),
  [
    ["GET", "/v1/stores?limit=7&region=north"],
    ({ stores }, options) => stores.list({ limit: 7, extra: { region: "north" } }, options),
  ],
  [["GET", "/v1/stores?cursor=S-001"], ({ stores }, options) => stores.list({ cursor: "S-001" }, options)],
  [
    ["GET", `/v1/fill-rate?from=${encodeURIComponent(range.from)}&to=${to}&externalIds=A%2CB`],
    ({ fillRates }, options) => fillRates.across({ ...range, externalIds: ["A", "B"] }, options),
  ],
  [
    ["PUT", "/v1/stores/S-000", { name: "Name", location: null }],
    ({ stores }, options) =>
      stores.upsert("S-000", { name: "Name", location: null, regionId: undefined }, options),
  ],
];

const fleetUses: readonly Use<FleetClient>[] = [
  [
    ["GET", "/vehicles?limit=7&page=2"],
    ({ vehicles }, options) => vehicles.list({ limit: 7, page: 2 }, options),
  ],
  [
    ["GET", "/vehicles?page=2"],
    ({ vehicles }, options) => vehicles.list({ page: 2 }, options).catch((error: unknown) => error),
  ],
  [
    ["GET", "/vehicles?page=3"],
    ({ vehicles }, options) => vehicles.list({ page: 3 }, options).finally(() => {}),
  ],
  [
    ["POST", "/vehicles", { plateNumber: "P", brand: "MAN" }],
    ({ vehicles }, options) => vehicles.create({ plateNumber: "P", brand: "MAN" }, options),
  ],
  ...ids.map(
    ([id, text]): Use<FleetClient> => [
      ["DELETE", `/vehicles/${text}`],
      ({ vehicles }, options) => vehicles.delete(id, options),
    ],
  ),
];

export const usesOf = { store: storeUses, fleet: fleetUses } as const;

/** Whether the first request of a call is the expected one. */
export async function runUse(
  world: SimulatedWorld,
  client: object,
  step: UseStep,
  name: string,
): Promise<void> {
  const { observer, scenario } = world;
  const uses = usesOf[scenario.api] as readonly Use<object>[]; // the API decides about the client
  const [[method, target, body], run] = uses[step.use] as Use<object>;
  if (method === "") return checkSetting(world, name, target, () => run(client, {}));
  const record = observer.start(name, { repeatable: true, parallel: 1, isWalk: true });
  await endOf(Promise.resolve(run(client, { headers: { [callHeader]: name, "X-Own": "own" } })));
  observer.finish(record);
  const request = observer.exchanges.find(({ call }) => call === name);
  const expected = [`${method} ${origins[scenario.api]}${target}`, body && JSON.stringify(body)];
  const sent = [request?.request, request?.body];
  if (sent.join(" ") !== expected.join(" "))
    observer.violate(`${name} sent another request: ${sent.join(" ")}, not ${expected.join(" ")}`);
  const headers = {
    accept: "application/json",
    "x-own": "own",
    "content-type": body && "application/json",
  };
  for (const [header, value] of Object.entries(headers))
    if (request?.headers[header] !== value)
      observer.violate(`${name} sent the header ${header}: ${request?.headers[header]}`);
}

/** Right options are accepted. */
function checkSetting(
  { observer }: SimulatedWorld,
  name: string,
  expected: string,
  run: () => unknown,
): void {
  try {
    const value = run();
    if (value !== expected) observer.violate(`${name} made ${String(value)} of ${expected}`);
  } catch (error) {
    observer.violate(`${name} refuses right options: ${String(error)}`);
  }
}
