/**
 * The features that are explored: for each one its data, the readings that touch it, what can go wrong, and the small
 * programs that use it. `choices` decides between them; the first of several is the ordinary one.
 */
import type {
  Change,
  ClientSetup,
  Fault,
  JsonObject,
  ListChange,
  PlanStep,
  Step,
  WalkStep,
  World,
} from "../scenario.ts";
import type { ApiName } from "../scenario.ts";
import { fleetMisuses, storeMisuses } from "../misuses.ts";
import { firstInstant } from "../store-data.ts";
import type { Choices } from "./choices.ts";

export interface Feature {
  readonly api: ApiName;
  /** The data; the first choice of a history. */
  readonly data: readonly Partial<World>[];
  /** The gaps whose readings the service plays. */
  readonly gaps: readonly string[];
  readonly faults: readonly Fault[];
  readonly changes: readonly Change[];
  readonly make: (pick: Pick, world: World) => Draft;
}

interface Draft {
  readonly programs: readonly (readonly Step[])[];
  readonly client?: Partial<ClientSetup>;
  /** Changes that no bound counts, by the number of the request. */
  readonly changes?: Readonly<Record<number, Change>>;
}

/** Two ways to choose between values: freely, or as a departure from the first one. */
export interface Pick {
  readonly any: <const T>(...values: readonly T[]) => T;
  readonly mostly: <const T>(...values: readonly T[]) => T;
}

export function pickWith(choices: Choices): Pick {
  return {
    any: (...values) => values[choices.choose(values.length)] as never, // the index is below the length
    mostly: (...values) => values[choices.depart("program", values.length)] as never,
  };
}

// Faults and changes

const connection: readonly Fault[] = [{ kind: "lose" }, { kind: "cut" }];
const rejection: readonly Fault[] = [
  { kind: "status", status: 503, acts: true, retryAfter: { seconds: 2, date: false } },
  { kind: "status", status: 429, acts: false, retryAfter: { seconds: 1, date: false } },
];
const transport: readonly Fault[] = [
  ...connection,
  ...rejection,
  { kind: "status", status: 500, acts: false },
  { kind: "short" },
  { kind: "stall", acts: true },
  { kind: "stall-body" },
  { kind: "html" },
  { kind: "echo" },
  { kind: "redirect", status: 307, foreign: false },
  { kind: "redirect", status: 302, foreign: true },
];
const privateHosts =
  "127.0.0.1 10.0.0.5 172.16.0.1 172.31.0.9 192.168.0.1 100.64.0.1 169.254.169.254 0.0.0.0 [::1]";
const privateRedirects = `${privateHosts} [fd00::1] [fe80::1] [::ffff:10.0.0.1] localhost`
  .split(" ")
  .map((host): Fault => ({ kind: "redirect", status: 302, foreign: true, host }));
const pages: readonly Fault[] = [
  { kind: "lose" },
  { kind: "repeat" },
  { kind: "page" },
  { kind: "stale" },
  { kind: "error-body" },
];
const totals: readonly Fault[] = [
  { kind: "contradict", property: "totalCount" },
  { kind: "contradict", property: "totalPages" },
  { kind: "contradict", property: "hasNextPage" },
];
const entities: readonly Fault[] = [
  { kind: "lose" },
  { kind: "other" },
  { kind: "partial" },
  { kind: "error-body" },
  { kind: "unstored" },
  { kind: "stale" },
  { kind: "html" },
  { kind: "status", status: 503, acts: false },
  { kind: "status", status: 404, acts: false },
];

function changesOf(list: string, ...kinds: readonly ListChange[]): Change[] {
  return kinds.map((kind) => ({ kind, list, place: kind === "move" ? 0.99 : "request" }));
}

/** Changes at the beginning of the list: entries behind it move to other pages. */
function early(list: string, ...kinds: readonly ListChange[]): Change[] {
  return kinds.map((kind) => ({ kind, list, place: 0.3 }));
}

// Walks

/** The way in which a program reads a list, stops and resumes. */
function walkStyle(pick: Pick, other: JsonObject): WalkStyle {
  return pick.any(false, true)
    ? { by: "pages", ...pick.mostly<Partial<WalkStyle>>(...resumed, { kills: [1], changed: other }) }
    : { by: "items", ...pick.mostly<Partial<WalkStyle>>(...styles) };
}

const resumed: readonly Partial<WalkStyle>[] = [
  { kills: [1] },
  { kills: [2] },
  { kills: [1, 1] },
  { kills: [1], ahead: 2 },
  { kills: [1], elsewhere: true },
];
const styles: readonly Partial<WalkStyle>[] = [
  {},
  { by: "pages" },
  { by: "array" },
  { by: "array", max: 2 },
  { by: "array", stop: { after: 2, how: "break" } },
  { ahead: 2 },
  { stop: { after: 3, how: "break" } },
  { stop: { after: 1, how: "throw" } },
  { abort: 25 },
];

type WalkStyle = Omit<WalkStep, "do" | "method" | "path" | "query">;

function walk(method: string, path: readonly string[], query: JsonObject, style: WalkStyle): Draft {
  return { programs: [[{ do: "walk", method, path, query, ...style }]] };
}

const stores: Feature = {
  api: "store",
  data: [
    { entities: 3 },
    { entities: 5 },
    { entities: 2, unnamed: 2 },
    { entities: 4, unnamed: 1 },
    { entities: 3, unnamed: 2, cap: 2 },
    { entities: 0 },
  ],
  gaps: ["stores.null-cursor", "stores.cursor-start", "stores.unknown-cursor", "stores.null-external-id"],
  faults: pages,
  changes: [...changesOf("stores", "add", "remove", "swap", "rename"), ...early("stores", "remove", "move")],
  make: (pick) => {
    const limit = pick.mostly(2, 3, 1);
    const verify = pick.mostly({}, { verify: true }, { maxIdleRequests: 1 });
    return walk("stores.list", [], { limit, ...verify }, walkStyle(pick, { limit: 99 }));
  },
};

const hour = 3_600_000;

function instantAt(time: number): string {
  return new Date(Math.floor(time)).toISOString();
}

/** A range that contains all protocols, and is short, because each window is a half of another one. */
function rangeOf({ protocols: count, spacing }: World): JsonObject {
  const last = firstInstant + count * spacing;
  return { from: instantAt(firstInstant - 5000), to: instantAt(last + 65_000) };
}

function protocols(strategy: ClientSetup["strategy"]): Feature {
  return {
    api: "store",
    data: [
      { entities: 1, protocols: 4, spacing: 5000 },
      { entities: 1, protocols: 3, spacing: 1 },
      { entities: 1, protocols: 3, spacing: 5000, pairs: true },
      { entities: 1, protocols: 3, spacing: 0 },
      { entities: 1, protocols: 3, spacing: 20_000, precision: 60_000 },
      { entities: 1, protocols: 4, spacing: 5000, offsets: true },
      { entities: 1, protocols: 3, spacing: 5000, signed: true },
    ],
    gaps: [
      "protocols.id-property",
      "protocols.order",
      "protocols.equal-summaries",
      "time-range.ends",
      ...(strategy === "cursor" ? ["protocols.next-page"] : []),
      ...(strategy === undefined ? ["protocols.next-page", "time-range.instant", "date-times.forms"] : []),
    ],
    faults: pages,
    changes: [...changesOf("protocols", "add", "remove", "touch"), ...early("protocols", "remove", "move")],
    make: (pick, world) => {
      const limit = pick.mostly(2, 3, 1);
      const verify = pick.mostly({}, { verify: true });
      const style = walkStyle(pick, { status: "failed" });
      const query = { ...rangeOf(world), limit, ...verify };
      const identify = pick.mostly({}, { identify: true });
      const chosen = strategy === undefined ? {} : { strategy };
      return { ...walk("protocols.list", ["S-000"], query, style), client: { ...chosen, ...identify } };
    },
  };
}

const photos: Feature = {
  api: "store",
  data: [
    { entities: 1, protocols: 3, spacing: 5000 },
    { entities: 1, protocols: 5, spacing: 5000 },
    { entities: 1, protocols: 4, spacing: 0 },
    { entities: 1, protocols: 4, spacing: 5000, offsets: true },
    { entities: 1, protocols: 0 },
  ],
  gaps: ["photos.page-shape", "photos.cursor-source", "time-range.instant", "protocols.equal-summaries"],
  faults: pages,
  changes: [...changesOf("protocols", "add", "remove"), ...early("protocols", "remove")],
  make: (pick, world) => {
    const limit = pick.mostly(2, 3, 1);
    const query = { ...rangeOf(world), limit, ...pick.mostly({}, { verify: true }) };
    return walk("photos.list", ["S-000"], query, walkStyle(pick, { status: "failed" }));
  },
};

const swap: Change = { kind: "swap", list: "vehicles", place: "request" };

function numbered(query: JsonObject): Feature {
  const isDefault = query["onDrift"] === "heal";
  return {
    api: "fleet",
    data: [
      { entities: 4 },
      { entities: 4, anonymous: true },
      { entities: 4, cap: 2 },
      ...(isDefault ? [{ entities: 3 }, { entities: 5 }, { entities: 5, cap: 3 }, { entities: 0 }] : []),
    ],
    gaps: [
      "lists.undocumented",
      "fleet.page-past-end",
      "fleet.undocumented-responses",
      "errors.undocumented-bodies",
    ],
    faults: [...pages, ...totals],
    changes: [
      ...changesOf("vehicles", "add", "remove", "swap"),
      ...early("vehicles", "add", "remove", "move"),
    ],
    make: (pick) => {
      const limit = pick.mostly(2, 3, 1);
      const page = pick.mostly({}, { page: 2 });
      const style = walkStyle(pick, { limit: 51 });
      // a list that changes in each pass of a walk with `verify`
      const changes =
        query["verify"] === true ? pick.mostly({}, { 2: swap, 4: swap }, { 2: swap, 5: swap }) : {};
      return { ...walk("vehicles.list", [], { ...query, limit, ...page }, style), changes };
    },
  };
}

// Pulls and mirrors

const pull: Feature = {
  api: "store",
  data: [
    { entities: 2, protocols: 4, spacing: 5000 },
    { entities: 2, protocols: 4, spacing: 0 },
    { entities: 2, protocols: 4, spacing: 1 },
    { entities: 2, protocols: 4, spacing: 5000, pairs: true },
    { entities: 2, protocols: 4, spacing: 5000, signed: true },
    { entities: 2, protocols: 4, spacing: 20_000, precision: 60_000 },
  ],
  gaps: [
    "protocols.id-property",
    "protocols.next-page",
    "protocols.order",
    "time-range.ends",
    "time-range.instant",
    "photos.cursor-source",
  ],
  faults: [{ kind: "lose" }, { kind: "page" }, { kind: "repeat" }, { kind: "stale" }],
  changes: changesOf("protocols", "remove", "touch")
    .map((change) => ({ ...change, place: 0.6 }) as Change)
    .concat({
      kind: "add",
      list: "protocols",
      place: 0.3,
    }),
  make: (pick, { protocols: count, spacing }) => {
    const method = pick.any("protocols.list", "photos.list");
    const span = Math.max(1, count * spacing);
    const at = (part: number): number => Math.floor(firstInstant + part * span);
    const lateness = pick.any(hour, 1000);
    const middle = pick.mostly(at(0.6), at(0.25), at(0.5), at(2) + 2 * hour);
    const runs = [{ until: at(0.5) }, { until: middle }, { until: at(2) + hour }];
    const kill = pick.mostly<PullKill | undefined>(
      undefined,
      { after: 1, saved: true },
      { after: 1, saved: false },
      { after: 2, saved: true },
      { after: 1, saved: "state" },
    );
    const killed = kill === undefined ? -1 : pick.any(0, 1, 2);
    const other = pick.mostly(-1, 1);
    return {
      programs: [
        [
          {
            do: "pull",
            method,
            since: at(0) - 5000,
            lateness,
            limit: 2,
            runs: runs.map((run, number) => ({
              ...run,
              ...(number === killed && kill !== undefined ? { kill } : {}),
              ...(number === other ? { other: true } : {}),
            })),
          },
        ],
      ],
    };
  },
};

interface PullKill {
  readonly after: number;
  readonly saved: boolean | "state";
}

interface MirrorKill {
  readonly at: number;
  readonly saved: boolean | "unmarked";
}

function mirrored(method: "stores.list" | "vehicles.list"): Feature {
  const list = method.split(".")[0] ?? "";
  return {
    api: method === "stores.list" ? "store" : "fleet",
    data: [{ entities: 3 }, { entities: 4 }, { entities: 5, anonymous: true }],
    gaps:
      method === "stores.list" ? ["stores.cursor-start", "stores.unknown-cursor"] : ["fleet.page-past-end"],
    faults: [...pages, ...(method === "stores.list" ? [] : totals)],
    changes: [...changesOf(list, "add", "remove", "swap"), ...early(list, "touch", "remove", "move")],
    make: (pick) => {
      const kill = pick.mostly<MirrorKill | undefined>(
        undefined,
        { at: 1, saved: true },
        { at: 2, saved: true },
        { at: 2, saved: false },
        { at: 3, saved: true },
        { at: 2, saved: "unmarked" },
      );
      const killed = kill === undefined ? -1 : pick.any(0, 1);
      const gone = pick.any(0, 2);
      const second = pick.mostly({}, { other: true }, { twice: true }, { details: true });
      const runs = [{}, { ...second, gone }, {}];
      return {
        programs: [
          [
            {
              do: "mirror",
              method,
              limit: 2,
              runs: runs.map((run, number) =>
                number === killed && kill !== undefined ? { ...run, kill } : run,
              ),
            },
          ],
        ],
      };
    },
  };
}

// Writes

const storeWrites = ["stores.omitted-fields", "stores.null-opening-times", "stores.null-store-type"] as const;
const otherWriters: readonly Change[] = [
  { kind: "touch", list: "stores", place: 0 },
  { kind: "touch", list: "contacts", place: 0 },
  { kind: "touch", list: "expositions", place: 0 },
  { kind: "remove", list: "stores", place: 0.99 },
];

const deep = JSON.parse("[".repeat(600) + "]".repeat(600)) as never; // a value of an open property

const modify: Feature = {
  api: "store",
  data: [
    { entities: 2, contacts: 1 },
    { entities: 2, contacts: 0 },
  ],
  gaps: [...storeWrites, "lists.ids-after-replace", "lists.duplicates", "responses.nullable-properties"],
  faults: [...entities, ...transport],
  changes: otherWriters,
  make: (pick) => {
    const step = pick.any<Partial<ModifyChange>>(
      { method: "stores.modify", desired: [{ name: "Changed" }] },
      { method: "stores.modify", desired: [{ location: null, storeType: "Kiosk" }] },
      { method: "contacts.modify", desired: [{ name: "New", phone: "+48 9" }] },
    );
    const more = pick.mostly(
      {},
      { isAsync: true },
      { isUpper: true },
      { abort: 30 },
      { desired: [{ location: deep }] },
    );
    const first = { do: "write", again: false, ...step, ...more } as never as Step; // the parts of one step
    const parallel = pick.mostly<"alone" | "modify" | "upsert">("alone", "modify", "upsert");
    const second: Readonly<Record<typeof parallel, Step[][]>> = {
      alone: [],
      modify: [[{ do: "write", method: "stores.modify", desired: [{ protocolCronEnabled: true }] }]],
      upsert: [[{ do: "call", method: "stores.upsert", args: ["S-000", { regionId: null }] }]],
    };
    return { programs: [[first], ...second[parallel]] };
  },
};

interface ModifyChange {
  readonly method: "stores.modify" | "contacts.modify";
  readonly desired: readonly JsonObject[];
}

const plan: Feature = {
  api: "store",
  data: [{ entities: 2, contacts: 1 }],
  gaps: [...storeWrites, "stores.create-requirements"],
  faults: [
    ...entities,
    { kind: "status", status: 401, acts: false },
    { kind: "status", status: 400, acts: false },
  ],
  changes: otherWriters,
  make: (pick) => {
    const concurrency = pick.any(1, 2);
    const more = pick.mostly<Partial<PlanStep>>(
      {},
      { dryRun: true },
      { stop: 1 },
      { source: "array" },
      { source: "filtered" },
    );
    const expectation = {
      productCategory: null,
      displayType: "FRIDGE_DRINKS",
      weekday: 1,
      protocolTime: "08:30",
      expectedFillRatio: 50,
    };
    const lists = pick.any<JsonObject>(
      {},
      { contacts: [{ name: "New", phone: "+48 9" }], expositions: [exposition("New")] },
      { expectations: [expectation], contacts: [] },
    );
    const desired = [
      { externalId: "S-000", name: "Changed", ...lists },
      { externalId: "S-001", storeType: "Kiosk" },
      { externalId: "N-1", name: "New", location: "Poznań" },
    ];
    return {
      programs: [[{ do: "plan", method: "applyPlan", desired, again: true, concurrency, ...more }]],
    };
  },
};

function exposition(label: string, more: JsonObject = {}): JsonObject {
  return { label, productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS", ...more };
}

const expositions: Feature = {
  api: "store",
  data: [{ entities: 2 }],
  gaps: [
    "expositions.absent",
    "expositions.matching",
    "expositions.omitted-title",
    "expositions.response",
    "expositions.unknown-id",
  ],
  faults: entities,
  changes: otherWriters,
  make: (pick) => {
    const desired = pick.any(
      [exposition("Exposition 0", { friendlyTitle: "Title" }), exposition("New")],
      [exposition("New"), exposition("Newer")],
      [exposition("Exposition 0")],
    );
    const keep = pick.any({}, { absent: "keep" } as const);
    return { programs: [[{ do: "write", method: "upsertExpositions", desired, again: true, ...keep }]] };
  },
};

const chunks: Feature = {
  ...expositions,
  data: [{ entities: 1 }],
  gaps: ["expositions.absent"],
  faults: [{ kind: "lose" }],
  changes: [],
  make: (pick) => {
    const count = pick.any(500, 501, 1001);
    const desired = Array.from({ length: count }, (_, at) => exposition(`Rack ${at}`));
    return {
      programs: [[{ do: "write", method: "upsertExpositions", desired, absent: "keep", again: true }]],
    };
  },
};

const ensured: Feature = {
  api: "fleet",
  data: [{ entities: 2 }, { entities: 0 }, { entities: 3, twins: true }],
  gaps: ["fleet.put", "fleet.create-status", "fleet.undocumented-responses", "lists.undocumented"],
  faults: [...entities, { kind: "status", status: 500, acts: true }, { kind: "stall", acts: true }],
  changes: [...changesOf("vehicles", "add", "remove"), ...early("vehicles", "add", "touch")].map(
    (change) => ({ ...change, place: 0.3 }) as Change,
  ),
  make: () => {
    const desired = [
      { plateNumber: "WX 0", brand: "DAF" },
      { plateNumber: "NEW 1", brand: "MAN" },
    ];
    return { programs: [[{ do: "write", method: "ensure", desired, again: true }]] };
  },
};

// Requests

const rotation: Feature = {
  api: "fleet",
  data: [{ entities: 3 }],
  gaps: ["limits.fleet-rate"],
  faults: transport,
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
        { budget: 0 },
        { maxDelay: 500 },
        { ignoresAbort: true },
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

const fetched: Feature = {
  api: "store",
  data: [{ entities: 1 }],
  gaps: ["limits.store-rate"],
  faults: [...transport, ...privateRedirects],
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
    const step = pick.any(
      get,
      put,
      post,
      upsert("/v1/stores/S-000/expositions"),
      upsert("/v1/stores/S-000/expositions/"),
      upsert("/v1//stores/S-000/%65xpositions"),
    );
    return { programs: [[{ ...step, ...late }]], client: { via, token, timeout: 500, ...client } };
  },
};

function misused(api: ApiName, names: readonly string[]): Feature {
  return {
    api,
    data: [{ entities: 3 }],
    gaps: [],
    faults: [],
    changes: [],
    make: (pick) => ({ programs: [[{ do: "misuse", method: pick.any(...names) }]] }),
  };
}

export const features: Readonly<Record<string, Feature>> = {
  "store list": stores,
  "protocols auto": protocols(undefined),
  "protocols cursor": protocols("cursor"),
  "protocols windows": protocols("window"),
  photos,
  "numbered heal": numbered({ onDrift: "heal" }),
  "numbered report": numbered({ onDrift: "report" }),
  "numbered throw": numbered({ onDrift: "throw" }),
  "numbered verify": numbered({ verify: true }),
  pull,
  "mirror stores": mirrored("stores.list"),
  "mirror vehicles": mirrored("vehicles.list"),
  modify,
  "plan and apply": plan,
  upsertExpositions: expositions,
  "chunks of expositions": chunks,
  ensure: ensured,
  "wrong input to stores": misused("store", Object.keys(storeMisuses)),
  "wrong input to fleet": misused("fleet", Object.keys(fleetMisuses)),
  "token rotation": rotation,
  "client.fetch": fetched,
};
