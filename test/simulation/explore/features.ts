/**
 * The features that are explored: for each one its data, the readings that touch it, what can go wrong, and the small
 * programs that use it. `choices` decides between them; the first of several is the ordinary one.
 */
import type {
  Change,
  ClientSetup,
  Fault,
  JsonObject,
  MirrorRun,
  PullRun,
  PullStep,
  World,
} from "../scenario.ts";
import { firstInstant } from "../store-data.ts";
import { textOf } from "../targets.ts";
import { changesOf, type Draft, early, type Feature, pages, totals } from "./feature.ts";
import { requestFeatures } from "./request-features.ts";
import { sampledFeatures } from "./sampled-features.ts";
import { type WalkStyle, walk, walkStyle } from "./walk-style.ts";
import { writeFeatures } from "./write-features.ts";

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
  faults: [...pages, { kind: "twice" }],
  changes: [...changesOf("stores", "add", "remove", "swap", "rename"), ...early("stores", "remove", "move")],
  make: (pick) => {
    const limit = pick.mostly(2, 3, 1);
    const verify = pick.mostly(
      {},
      { verify: true },
      { maxIdleRequests: 1 },
      { maxIdleRequests: 2 },
      { verify: true, maxIdleRequests: 1 },
      { cursor: "S-000" },
    );
    const style = walkStyle(pick, { limit: 99 });
    const stop = "verify" in verify ? pick.any({}, { kills: [1] }, { kills: [1, 1] }) : {};
    return walk("stores.list", [], { limit, ...verify }, { ...style, ...stop });
  },
};

/** Stores without `storeId`. */
const nameless: Feature = {
  ...stores,
  data: [{ entities: 4, unnamed: 1, anonymous: true }],
  faults: [{ kind: "lose" }],
  changes: [],
};

const hour = 3_600_000;

function instantAt(time: number): string {
  return new Date(Math.floor(time)).toISOString();
}

/** A range that contains all protocols, and is short, because each window is a half of another one. */
function rangeOf({ protocols: count, spacing, precision = 0 }: World): { from: string; to: string } {
  const last = firstInstant + count * spacing;
  return { from: instantAt(firstInstant - 5000), to: instantAt(last + 5000 + precision) };
}

/** The same range in other forms. */
function rephrase(world: World): JsonObject[] {
  const { from, to } = rangeOf(world);
  const shift = (text: string, hours: number): string =>
    new Date(Date.parse(text) + hours * hour).toISOString().slice(0, -1);
  return [
    { from: from.replace(".000Z", "Z"), to: to.replace("Z", "+00:00") },
    { from: `${shift(from, 1)}+01:00`, to: `${shift(to, -2)}-0200` },
    { from: from.toLowerCase(), to: to.replace(/\.?0+Z$/, "Z") },
  ];
}

/** Protocols have no ID. */
const anonymous: Readonly<Record<string, string>> = { "protocols.id-property": "anonymous" };

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
      ...(strategy === "cursor" ? [] : [{ entities: 1, protocols: 2, spacing: 20_000, coarse: 60_000 }]),
    ],
    gaps: [
      "protocols.id-property",
      "protocols.order",
      "protocols.equal-summaries",
      "time-range.ends",
      ...(strategy === "cursor" ? ["protocols.next-page"] : []),
      ...(strategy === undefined ? ["protocols.next-page", "time-range.instant", "date-times.forms"] : []),
    ],
    faults: strategy === "cursor" ? [...pages, { kind: "no-items" }] : pages,
    changes: [...changesOf("protocols", "add", "remove", "touch"), ...early("protocols", "remove", "move")],
    make: (pick, world) => {
      const limit = pick.mostly(2, 3, 1);
      const verify = pick.mostly(
        {},
        { verify: true },
        { maxIdleRequests: 1 },
        { maxIdleRequests: 2 },
        { extra: { tag: "1" } },
      );
      const query = { ...rangeOf(world), limit, ...verify };
      const style = walkStyle(pick, { status: "failed" }, rephrase(world), ["S-001"]);
      const identify = pick.mostly({}, { identify: true });
      const chosen = strategy === undefined ? {} : { strategy };
      const client = { ...chosen, ...identify };
      return {
        ...walk("protocols.list", ["S-000"], query, style),
        client,
        readings: pick.mostly<Draft["readings"]>({}, anonymous),
      };
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
    return walk("photos.list", ["S-000"], query, walkStyle(pick, { status: "failed" }, [], ["S-001"]));
  },
};

const swap: Change = { kind: "swap", list: "vehicles", place: "request" };

function numbered(query: JsonObject): Feature {
  const isDefault = query["onDrift"] === "heal";
  const isQuick = isDefault || query["onDrift"] === "report";
  return {
    api: "fleet",
    data: [
      { entities: 4 },
      { entities: 4, anonymous: true },
      ...(isQuick ? [{ entities: 4, anonymous: true, emptyIds: true }] : []),
      ...(isDefault
        ? [
            { entities: 4, cap: 2 },
            { entities: 3 },
            { entities: 5 },
            { entities: 5, cap: 3 },
            { entities: 0 },
          ]
        : []),
    ],
    gaps: [
      "lists.undocumented",
      "fleet.page-past-end",
      "fleet.undocumented-responses",
      "errors.undocumented-bodies",
    ],
    faults: [...pages, { kind: "twice" }, ...totals],
    changes: [
      ...changesOf("vehicles", "add", "remove", "swap"),
      ...early("vehicles", "add", "remove", "move"),
    ],
    make: (pick) => {
      const limit = pick.mostly(2, 3, 1);
      const page = pick.mostly<JsonObject>({}, { page: 2 }, { extra: { tag: "1" } }, { maxIdleRequests: 3 });
      const style = walkStyle(pick, { limit: 51 });
      // a list that changes in some passes of a walk, or in each of them
      const always = Object.fromEntries(Array.from({ length: 40 }, (_, number) => [number + 2, swap]));
      const changes =
        query["verify"] === true
          ? pick.mostly({}, { 2: swap, 4: swap }, { 2: swap, 5: swap }, always)
          : pick.mostly({}, always);
      const isDefaultReaction = query["onDrift"] === (style.by === "pages" ? "report" : "heal");
      const given = isDefaultReaction ? pick.any(query, {}) : query;
      return { ...walk("vehicles.list", [], { ...given, limit, ...page }, style), changes };
    },
  };
}

/** Several pages that are refused, one after the other or at the same time. */
const refusedPages: Feature = {
  api: "fleet",
  data: [{ entities: 5 }, { entities: 5, anonymous: true }],
  gaps: [],
  faults: [],
  changes: [],
  make: (pick) => {
    const first = pick.any(2, 3, 4, 5);
    const status = pick.any(404, 400);
    const numbers = Array.from({ length: pick.any(1, 2, 3) }, (_, at) => first + at);
    const faults = Object.fromEntries(
      numbers.map((number) => [number, { kind: "status", status, acts: false } as const]),
    );
    const style = { by: pick.any("items", "pages"), ahead: pick.any(1, 2, 3) } as const;
    return { ...walk("vehicles.list", [], { limit: 1, onDrift: "heal" }, style), faults };
  },
};

/** Lists of more entries than a token remembers, or a page holds. */
const long: Feature = {
  enough: 80,
  api: "store",
  data: [{ entities: 70 }, { entities: 130 }],
  gaps: [],
  faults: [],
  changes: [],
  make: (pick, { entities }) => {
    const kills = pick.any([], [66], Array<number>(300).fill(1), [1, 64, 64]);
    // the list begins again: at once, behind the cursors that a token remembers, and behind the next ones
    const page = pick.any(undefined, 3, 68, entities);
    const faults: Draft["faults"] = page === undefined ? {} : { [page]: { kind: "page" } };
    const style = { by: "pages", ...(kills.length > 0 && { kills }) } as const;
    return { faults, ...walk("stores.list", [], { limit: 1 }, style) };
  },
};

/** A page without a cursor that is as long as the limit, with stores without external ID. */
const full: Feature = {
  enough: 80,
  api: "store",
  data: [
    { entities: 98, unnamed: 2 },
    { entities: 99, unnamed: 2 },
    { entities: 104, unnamed: 2 },
  ],
  gaps: ["stores.null-cursor", "stores.cursor-start"],
  faults: [{ kind: "page" }],
  changes: changesOf("stores", "add", "remove"),
  make: (pick) => {
    // many pages take long
    const limit = pick.mostly(undefined, 50, 4, 3) ?? pick.any(100, 99);
    const style = pick.mostly<WalkStyle>({ by: "pages" }, { by: "items" }, { by: "pages", kills: [1] });
    return walk("stores.list", [], { limit }, style);
  },
};

/** Pages that say which list they belong to, as one of the requested list or of another one. */
const described: Feature = {
  api: "fleet",
  data: [{ entities: 4 }, { entities: 6 }],
  gaps: ["fleet.unsent-filters"],
  faults: [{ kind: "lose" }],
  changes: [],
  make: (pick) => {
    const query = pick.any<JsonObject>(
      {},
      { search: "W" },
      { search: "w", status: "NOT_OK" },
      { status: "OK" },
    );
    const style = pick.mostly<WalkStyle>({ by: "pages" }, { by: "items" }, { by: "pages", kills: [1] });
    const filters = pick.any<JsonObject>(
      { search: "other" },
      { search: null, status: null },
      { search: "", status: "OK" },
      { search: "W", status: "not_ok", page: 7 },
      { search: 5, status: ["OK"] },
    );
    const isOther = ["search", "status"].some((name) => {
      const used = filters[name] ?? "";
      const sent = query[name] ?? "";
      // a list is compared with nothing
      return typeof used !== "object" && textOf(used).toLowerCase() !== textOf(sent).toLowerCase();
    });
    const wrong = (property: string, json: string, isNoticed: boolean): Fault => ({
      kind: "wrong",
      property,
      json,
      ...(isNoticed ? {} : { noticed: "never" }),
    });
    const fault = pick.any<Fault>(
      wrong("filters", JSON.stringify(filters), isOther),
      wrong("filters", "7", false),
      wrong("field", '{"id":"other"}', true),
      wrong("field", '{"id":5}', true),
      wrong("field", "null", false),
    );
    const path = ["$vehicle-fields.0"];
    return {
      faults: { [pick.any(1, 2)]: fault },
      ...walk("vehicleFields.listVehicles", path, { ...query, limit: 2 }, style),
    };
  },
};

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
  make: (pick, { protocols: count, spacing, ...world }) => {
    const span = Math.max(1, count * spacing);
    const at = (part: number): number => Math.floor(firstInstant + part * span);
    const isPlain = spacing === 5000 && world.signed !== true;
    const method = isPlain ? pick.any("protocols.list", "photos.list") : "protocols.list";
    const lateness = spacing < 2 ? 1000 : pick.mostly(hour, 1000);
    const middle = pick.mostly(at(0.6), at(0.25), at(0.5), at(2) + 2 * hour);
    // items at the ends of ranges, and a little before and after them
    const shift = pick.mostly(0, 999, 1000, 1001, 2000, 3000, 4000);
    const runs = [at(0.5), middle, at(2) + hour].map((until) => ({ until: until + shift }));
    const kill = pick.mostly<PullKill | undefined>(
      undefined,
      { after: 1, saved: true },
      { after: 1, saved: false },
      { after: 2, saved: true },
      { after: 1, saved: "state" },
    );
    const killed = kill === undefined ? -1 : pick.any(0, 1, 2);
    const another = pick.mostly<PullRun["other"]>(
      undefined,
      true,
      { status: "failed" },
      { extra: { a: "1" } },
      { since: instantAt(at(0) - 24 * hour) },
    );
    const other = 1;
    const fingerprint = world.signed === true ? pick.any({}, { hasFingerprint: true } as const) : {};
    return {
      readings: pick.mostly<Draft["readings"]>({}, anonymous),
      programs: [
        [
          {
            do: "pull",
            method,
            since: at(0) - 5000,
            lateness,
            ...fingerprint,
            limit: 2,
            runs: runs.map((run, number) => ({
              ...run,
              ...(number === killed && kill !== undefined ? { kill } : {}),
              ...(number === other && another !== undefined ? { other: another } : {}),
            })),
          },
        ],
      ],
    };
  },
};

/** A service whose clock is before `since`, behind the end of a run, or right; by a second more or less. */
const dated: Feature = {
  ...pull,
  samples: 400,
  data: [{ entities: 2, protocols: 4, spacing: 5000 }],
  gaps: [],
  faults: [{ kind: "lose" }],
  changes: [],
  make: (pick, world) => {
    const { programs, readings } = pull.make(pick, world);
    const [step] = programs[0] as readonly [PullStep]; // a pull is one step
    // the time of a header ends with its second
    const since = step.since + pick.any(0, 999);
    const until = (step.runs[0]?.until ?? 0) + pick.any(0, 999);
    const overlap = Math.max(step.lateness, 1000) + 1000;
    const edge = pick.any(since - 24 * hour, until - overlap, until, since - 72 * hour);
    const date = edge - 999 + pick.any(0, -1000, 1000, 24 * hour);
    return {
      readings,
      programs: [
        [{ ...step, since, runs: step.runs.map((run, at) => (at === 0 ? { ...run, until } : run)) }],
      ],
      world: { date },
    };
  },
};

/** More runs, and more items between two of them, than a state remembers. */
const often: Feature = {
  ...pull,
  enough: 80,
  data: [
    { entities: 1, protocols: 40, spacing: 5000 },
    { entities: 1, protocols: 520, spacing: 1000 },
  ],
  gaps: [],
  faults: [],
  changes: [],
  make: (pick, { protocols: count, spacing }) => {
    const at = (part: number): number => Math.floor(firstInstant + part * count * spacing);
    const ends = count < 500 ? pick.any(3, 34, 50) : 1;
    const runs: PullRun[] = Array.from({ length: ends }, (_, number) => ({ until: at((number + 1) / ends) }));
    // the item of a cursor is deleted while nobody pulls: its range is read again, if the state knows its items
    const killed = ends === 1 ? pick.any(undefined, 2, 4, 5, 6) : undefined;
    if (killed !== undefined) runs.unshift({ until: at(1), kill: { after: killed, saved: true } });
    const removal: Change = { kind: "remove", list: "protocols", place: "request" };
    // a clock that goes back to some time between the runs, and is right again
    const back = pick.any(undefined, 0.02, 0.1, 0.5, 0.9);
    const last = [...(back === undefined ? [] : [{ until: at(back) }]), { until: at(1) + hour }];
    return {
      readings: pick.any<Draft["readings"]>({}, anonymous),
      changes: killed === undefined ? {} : { [killed + 1]: removal },
      programs: [
        [
          {
            do: "pull",
            method: "protocols.list",
            since: at(0) - 5000,
            lateness: 1000,
            limit: count < 500 ? 7 : 100,
            runs: [...runs, ...last],
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

const notFound: Fault = { kind: "status", status: 404, acts: false, code: "not_found" };

function mirrored(method: "stores.list" | "vehicles.list"): Feature {
  const list = method.split(".")[0] ?? "";
  return {
    api: method === "stores.list" ? "store" : "fleet",
    data: [{ entities: 3 }, { entities: 4 }, { entities: 5, anonymous: list === "vehicles" }],
    gaps:
      method === "stores.list" ? ["stores.cursor-start", "stores.unknown-cursor"] : ["fleet.page-past-end"],
    faults: [...pages, ...(method === "stores.list" ? [notFound] : totals)],
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
      const second = pick.mostly<MirrorRun>(
        {},
        { gone: 2 },
        { other: true },
        { twice: true },
        { details: true },
        { limit: 3 },
        { limit: 1 },
      );
      const first = list === "stores" ? pick.mostly<MirrorRun>({}, { looks: true }) : {};
      const runs = [first, second, {}];
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

export const features: Readonly<Record<string, Feature>> = {
  "store list": stores,
  "stores without IDs": nameless,
  "protocols auto": protocols(undefined),
  "protocols cursor": protocols("cursor"),
  "protocols windows": protocols("window"),
  photos,
  "numbered heal": numbered({ onDrift: "heal" }),
  "numbered report": numbered({ onDrift: "report" }),
  "numbered throw": numbered({ onDrift: "throw" }),
  "numbered verify": numbered({ verify: true }),
  "refused pages": refusedPages,
  "long lists": long,
  "full pages": full,
  "pages of another list": described,
  pull,
  "many pulls": often,
  "pull by the service's clock": dated,
  "mirror stores": mirrored("stores.list"),
  "mirror vehicles": mirrored("vehicles.list"),
  ...sampledFeatures,
  ...writeFeatures,
  ...requestFeatures,
};
