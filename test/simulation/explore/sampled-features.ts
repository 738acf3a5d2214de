/** Features with more choices than all histories of a bound could have: exploration runs random ones of them. */
import type { ClientSetup, JsonObject, PullRun, World } from "../scenario.ts";
import { firstInstant } from "../store-data.ts";
import { changesOf, type Draft, early, type Feature, pages, type Pick } from "./feature.ts";
import { type WalkStyle, walk, walkStyle } from "./walk-style.ts";

const hour = 3_600_000;

/** Protocols of one instant, and near each other, some of them without ID. */
const crowd = (pick: Pick) => {
  const together = pick.any(1, 2, 3);
  const spacing = pick.any(0.5, 1, 700, 1500, 5000);
  return { entities: 2, protocols: 3 + together, together, nameless: pick.any(0, 1, 2, 3), spacing };
};

/** The data are chosen together with the program. */
const sampled = { api: "store", samples: 400, data: [{}], gaps: ["time-range.instant"] } as const;

const readings = (pick: Pick): Draft["readings"] => ({
  ...pick.any<Draft["readings"]>({}, {}, { "protocols.id-property": "anonymous" }),
  ...pick.any<Draft["readings"]>(
    {},
    { "protocols.next-page": "ignored" },
    { "protocols.next-page": "ignored-new-cursor" },
    { "protocols.next-page": "rejected" },
  ),
  ...pick.any<Draft["readings"]>(
    {},
    { "time-range.ends": "inclusive" },
    { "time-range.ends": "exclusive" },
    { "time-range.ends": "left-open" },
  ),
  ...pick.any<Draft["readings"]>({}, {}, { "protocols.order": "newest-first" }),
  ...pick.any<Draft["readings"]>({}, {}, { "protocols.equal-summaries": "one" }),
});

const clientOf = (pick: Pick): Partial<ClientSetup> => ({
  ...pick.any<Partial<ClientSetup>>({}, {}, { strategy: "window" }, { strategy: "cursor" }),
  ...pick.any<Partial<ClientSetup>>({}, {}, {}, { identify: true }, { identify: "query" }),
  ...pick.any<Partial<ClientSetup>>({}, {}, { precision: "millisecond" }, { precision: "minute" }),
  ...pick.any<Partial<ClientSetup>>({}, {}, {}, { shapes: "copy" }, { shapes: "promise" }),
});

const instant = (time: number): string => new Date(Math.floor(time)).toISOString();

/** Lists of protocols whose ranges end at protocols, or next to them. */
const crowdedList: Feature = {
  ...sampled,
  faults: pages,
  changes: [
    ...changesOf("protocols", "add", "remove", "touch"),
    ...early("protocols", "add", "remove", "move", "touch"),
  ],
  make: (pick) => {
    const world = crowd(pick);
    const { protocols, together, spacing } = world;
    const last = firstInstant + Math.floor((protocols - 1) / together) * spacing;
    const from = firstInstant - pick.any(5000, 5000, 0, 1, 1000);
    const to = Math.max(from, last + pick.any(5000, 5000, 0, 1, 1000, -spacing));
    const query: JsonObject = {
      from: instant(from),
      to: instant(to),
      limit: pick.any(1, 2, 2, 3, 4),
      ...pick.any<JsonObject>({}, {}, {}, { verify: true }, { maxIdleRequests: 2 }, { status: "completed" }),
    };
    const style = pick.any<WalkStyle>(
      { by: "pages" },
      { by: "pages", kills: [1] },
      { by: "pages", kills: [1, 1, 1] },
      { by: "pages", kills: [2] },
      walkStyle(pick, { status: "failed" }),
    );
    return {
      ...walk(pick.any("protocols.list", "protocols.list", "photos.list"), ["S-000"], query, style),
      world,
      readings: readings(pick),
      client: clientOf(pick),
    };
  },
};

/** Runs of a pull that end at protocols, or next to them. */
const crowdedPull: Feature = {
  ...crowdedList,
  make: (pick) => {
    const world = crowd(pick);
    const { protocols, together, spacing } = world;
    const last = Math.floor((protocols - 1) / together);
    const near = (): number => pick.any(0, 0, 1, -1, 999, 1000, 1001, 2000);
    const count = pick.any(1, 2, 3, 4);
    const ends = Array.from(
      { length: count },
      (_, at) => firstInstant + Math.floor(((at + 1) * last) / count) * spacing + near(),
    );
    const shift = pick.any(0, 0, 0, -1500, 1500, hour);
    const runs = [...ends, firstInstant + last * spacing + pick.any(0, 1, 3000, 2 * hour)].map(
      (end, at): PullRun => {
        const until = Math.ceil(end) + at * shift;
        const kill = pick.any<PullRun["kill"]>(
          undefined,
          undefined,
          undefined,
          { after: 1, saved: true },
          { after: 2, saved: true },
          { after: 1, saved: false },
        );
        return { until: Math.max(until, firstInstant), ...(kill && { kill }) };
      },
    );
    const query = pick.any<JsonObject>(
      {},
      {},
      {},
      { status: "completed" },
      { extra: { tag: "1" } },
      { maxIdleRequests: 2 },
    );
    return {
      programs: [
        [
          {
            do: "pull",
            method: pick.any("protocols.list", "protocols.list", "protocols.list", "photos.list"),
            since: firstInstant - pick.any(5000, 0, 1000),
            lateness: pick.any(0, 1, 1000, 3000, hour),
            limit: pick.any(1, 2, 2, 3, 4),
            query,
            runs,
          },
        ],
      ],
      world,
      readings: readings(pick),
      client: clientOf(pick),
    };
  },
};

/** Pages of stores that are as long as the limit, or empty, and are read again; some stores have one ID. */
const readAgain: Feature = {
  ...sampled,
  faults: [...pages, { kind: "no-items" }, { kind: "no-items" }],
  changes: [
    ...changesOf("stores", "add", "remove", "swap", "rename"),
    ...early("stores", "add", "remove", "move", "rename"),
  ],
  make: (pick) => {
    const query: JsonObject = {
      limit: pick.any(1, 2, 2, 3, 4, 100),
      ...pick.any<JsonObject>({}, {}, {}, { verify: true }, { maxIdleRequests: 2 }, { cursor: "S-000" }),
    };
    const style = pick.any<WalkStyle>(
      { by: "pages" },
      { by: "pages", kills: [1] },
      { by: "pages", kills: [1, 1, 1] },
      walkStyle(pick, { limit: 99 }),
    );
    return {
      ...walk("stores.list", [], query, style),
      world: {
        entities: pick.any(1, 2, 3, 4),
        unnamed: pick.any(0, 1, 2),
        ...pick.any<Partial<World>>({}, {}, { twins: true }, { anonymous: true }),
      },
      readings: {
        ...pick.any<Draft["readings"]>(
          {},
          { "stores.null-cursor": "last-not-null" },
          { "stores.null-cursor": "null-early" },
        ),
        ...pick.any<Draft["readings"]>({}, {}, { "stores.cursor-start": "at" }),
        ...pick.any<Draft["readings"]>(
          {},
          { "stores.unknown-cursor": "reject" },
          { "stores.unknown-cursor": "empty" },
        ),
      },
      client: pick.any<Partial<ClientSetup>>({}, {}, {}, { identify: "query" }),
    };
  },
};

export const sampledFeatures: Readonly<Record<string, Feature>> = {
  "protocols near each other": crowdedList,
  "pulls of protocols near each other": crowdedPull,
  "stores that are read again": readAgain,
};
