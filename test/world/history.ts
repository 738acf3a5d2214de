/** A history is JSON: the service and its data, the options of the clients, programs, and what happens to their requests. */
import * as fc from "fast-check";

type Value<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Parts = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** An object with a name and random properties. */
const act = <const Name extends string, const P extends Parts>(name: Name, parts: P) =>
  // the generator of exactly these properties
  fc.record({ do: fc.constant(name), ...parts }) as unknown as fc.Arbitrary<
    { do: Name } & { [Key in keyof P]: Value<P[Key]> }
  >;
const one = <const T extends string | number | null>(...values: readonly T[]): fc.Arbitrary<T> =>
  fc.constantFrom(...values);
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const upTo = (max: number) => fc.nat({ max });
const from1To = (max: number) => fc.integer({ min: 1, max });

const [at, times] = [one("before", "after"), one(1, 1, 1, 3)];
const lists = ["stores", "protocols", "photos", "vehicles", "damages", "vehicleGroups"] as const;

/** Something that happens at one request, or from it on. */
const happening = fc.oneof(
  weighted(
    4,
    act("break", { kind: one("reset", "close", "truncate", "malformed", "html", "stall"), at, times }),
  ),
  weighted(1, act("break", { kind: one("truncate", "stall"), at: one("body"), times })),
  weighted(
    4,
    act("respond", {
      status: one(500, 502, 503, 504, 408, 429, 429, 400, 403, 404),
      at,
      retryAfter: one(null, null, 0, 1, 3, 20, 60),
      isDate: fc.boolean(),
      times,
    }),
  ),
  weighted(1, act("delay", { ms: one(200, 2000, 9000, 40_000) })),
  weighted(
    2,
    act("paging", {
      kind: one("repeat-cursor", "cycle", "empty-page", "clamp", "shift"),
      times: one(1, 2, 20),
    }),
  ),
  weighted(5, act("write", { on: one(...lists), act: one("create", "change", "delete"), pick: upTo(5) })),
  weighted(1, act("rotate", {})),
  weighted(4, act("stop", { how: one("kill", "kill", "abort", "drain"), at })),
);
export type Happening = Value<typeof happening>;

const labels = fc.uniqueArray(upTo(4), { maxLength: 4 });
const [limit, concurrency, runs] = [from1To(4), from1To(4), from1To(3)];
const row = fc.record({ pick: upTo(7), value: upTo(5), contacts: upTo(2), labels });

/** What a program does, one step after the other. */
const steps = {
  walk: act("walk", {
    list: one(...lists, "inspections", "inspectionTemplates", "driverAssignments"),
    pick: upTo(5),
    limit,
    ahead: upTo(3),
    verify: fc.boolean(),
    onDrift: one("heal", "heal", "report", "throw"),
    way: one("pages", "pages", "items", "toArray"),
  }),
  write: act("write", { op: upTo(6), pick: upTo(5), value: upTo(5) }),
  modify: act("modify", { part: one("stores", "contacts"), pick: upTo(5), value: upTo(5) }),
  expositions: act("expositions", { pick: upTo(5), labels }),
  plan: act("plan", {
    rows: fc.uniqueArray(row, { maxLength: 4, selector: ({ pick }) => pick }),
    concurrency,
    isKept: fc.boolean(),
  }),
  ensure: act("ensure", {
    on: one("vehicles", "vehicleGroups", "damages"),
    rows: fc.uniqueArray(upTo(7), { minLength: 1, maxLength: 4 }),
    value: upTo(5),
    concurrency,
  }),
  mirror: act("mirror", {
    on: one("stores", "vehicles", "damages", "vehicleGroups"),
    limit,
    details: fc.boolean(),
    runs,
  }),
  pull: act("pull", {
    what: one("protocols", "photos"),
    pick: upTo(5),
    limit,
    lateness: one(0, 60_000, 3_600_000),
    details: fc.boolean(),
    runs,
  }),
};
export type Steps = { [Name in keyof typeof steps]: Value<(typeof steps)[Name]> };
export type Step = Steps[keyof Steps];

const weights: Readonly<Record<string, number>> = { walk: 5, write: 2, ensure: 2, mirror: 2, pull: 2 };
const step: fc.Arbitrary<Step> = fc.oneof(
  ...Object.entries(steps).map(([name, arbitrary]) => weighted<Step>(weights[name] ?? 1, arbitrary)),
);
const program = fc.array(step, { minLength: 1, maxLength: 3 });

/** Readings that clients must notice or cope with. */
const readings = {
  "stores.unknown-cursor": one("next-greater", "reject", "empty"),
  "stores.omitted-fields": one("keep", "reset"),
  "stores.null-cursor": one("last-page", "last-not-null"),
  "protocols.next-page": one("cursor", "cursor", "ignored", "ignored-new-cursor", "rejected"),
  "protocols.order": one("oldest-first", "newest-first"),
  "time-range.ends": one("half-open", "inclusive", "exclusive", "left-open"),
  "time-range.precision": one("millisecond", "second"),
  "expositions.matching": one("always-new", "label"),
  "fleet.put": one("replace", "merge"),
  "fleet.page-past-end": one("empty", "rejected"),
  "fleet.delete-response": one("envelope", "no-content"),
};

export const histories = fc.record({
  seed: upTo(1_000_000),
  rows: fc.record({ stores: upTo(7), withoutId: upTo(1), items: upTo(7), fleet: upTo(9) }),
  readings: fc.record(readings, { requiredKeys: [] }),
  /** The clock of the service, compared with that of the programs, in ms. */
  skew: one(0, 0, 0, -400, 45_000, -600_000),
  client: fc.record({
    retry: upTo(3),
    timeout: one(1000, 10_000, 30_000),
    totalTimeout: one(null, null, null, 5000, 60_000),
    maxConcurrency: one(null, null, 1, 2),
    perSecond: one(null, null, null, 4),
    validate: one("envelope", "full"),
    hooks: one("quiet", "quiet", "none"),
    protocolPages: one("auto", "auto", "window"),
  }),
  /** Programs that run at the same time, with the same clients. */
  programs: fc.oneof(weighted(3, fc.tuple(program)), weighted(1, fc.tuple(program, program))),
  /** What happens, and the number of requests before it that nothing happens to. */
  events: fc.array(fc.record({ after: upTo(7), what: happening }), { maxLength: 10 }),
  /** The saves, from 1 on, before which the program is killed. */
  killsAtSave: fc.uniqueArray(from1To(12), { maxLength: 2 }),
});
export type History = Value<typeof histories>;
