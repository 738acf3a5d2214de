import { type Disturbances, type Fetch, disturb } from "../../models/disturbances.ts";
import { fleetGaps, storeGaps } from "../../models/readings.ts";
import { type Noise, noisy } from "./noise.ts";
import { fetchOf } from "./run.ts";
import { ALL_STRANGE, readingsBehind } from "./strange-data.ts";
import { type Readings, type Subject, seeded } from "./subjects.ts";

/** A service as a run meets it. */
export interface Met {
  readonly fetch: Fetch;
  /** Its readings. A gap in which its servers differ has none of them. */
  readonly truth: Readings;
}

/** The circumstances of a run: noise and disturbances between the probe and a service. */
export type Setting = (subject: Subject, seed: number, make: MakeSubject) => Met;

type MakeSubject = (fixed?: Readings) => Subject;

function withNoise(noise: Noise): Setting {
  return (subject, seed) => ({ fetch: noisy(fetchOf(subject), noise, seed), truth: subject.truth });
}

function withDisturbances(choose: (subject: Subject, random: () => number) => Disturbances): Setting {
  return (subject, seed) => {
    const disturbances = choose(subject, seeded(seed * 31 + 7));
    return { fetch: disturb(fetchOf(subject), disturbances), truth: truthUnder(subject, disturbances) };
  };
}

/** Bounds that are cut off are another precision than that of the service. */
function truthUnder({ truth }: Subject, { precision }: Disturbances): Readings {
  const { "time-range.precision": _, ...others } = truth;
  return precision === undefined ? truth : others;
}

function removalFrom(subject: Subject, random: () => number): NonNullable<Disturbances["removal"]> {
  return { at: 2 + Math.floor(random() * 80), remove: () => subject.remove?.(random) };
}

const GAPS: Readonly<Record<string, readonly string[]>> = { ...storeGaps, ...fleetGaps };

/** Two servers that take turns and differ in one gap. */
const twoServers: Setting = (subject, seed, make) => {
  const random = seeded(seed * 31 + 7);
  const gaps = Object.keys(GAPS).filter(
    (gap) => !gap.startsWith("limits.") && subject.truth[gap] !== undefined,
  );
  const gap = gaps[Math.floor(random() * gaps.length)] ?? "";
  const others = (GAPS[gap] ?? []).filter((reading) => reading !== subject.truth[gap]);
  const second = make({ [gap]: others[Math.floor(random() * others.length)] ?? "" });
  second.age?.();
  const truth = Object.entries(subject.truth).map(([name, reading]): [string, string] => [
    name,
    second.truth[name] === reading ? reading : "differs",
  ]);
  return { fetch: disturb(fetchOf(subject), { backend: fetchOf(second) }), truth: Object.fromEntries(truth) };
};

const everything: Setting = (subject, seed) => {
  const random = seeded(seed * 31 + 7);
  const disturbances = { rangeDays: 366, members: true, removal: removalFrom(subject, random) };
  const noise = {
    unavailable: 0.02,
    reset: 0.02,
    propertyOrder: true,
    write: () => subject.otherWrite(random),
  };
  return { fetch: noisy(disturb(fetchOf(subject), disturbances), noise, seed), truth: subject.truth };
};

/** Any of the disturbances and any noise together. */
const mixture: Setting = (subject, seed) => {
  const random = seeded(seed * 17 + 3);
  const isOn = (): boolean => random() < 0.5;
  const precisions = ["day", "second", "ignored", undefined] as const;
  const precision = precisions[Math.floor(random() * precisions.length)];
  const disturbances = {
    ...(isOn() && { rangeDays: isOn() ? 31 : 366 }),
    ...(precision !== undefined && { precision }),
    cache: isOn(),
    members: isOn(),
    ...(isOn() && { removal: removalFrom(subject, random) }),
  };
  const noise = {
    unavailable: isOn() ? 0.03 : 0,
    reset: isOn() ? 0.03 : 0,
    html: isOn() ? 0.02 : 0,
    extraProperties: isOn(),
    propertyOrder: isOn(),
    ...(isOn() && { write: () => subject.otherWrite(random) }),
  };
  const fetch = noisy(disturb(fetchOf(subject), disturbances), noise, seed);
  return { fetch, truth: truthUnder(subject, disturbances) };
};

/** The service behind some of the things that no experiment knows. */
function behindStrange(count: number, noise: Noise): Setting {
  return (subject, seed) => {
    const random = seeded(seed * 37 + 11);
    const names = Object.keys(ALL_STRANGE)
      .toSorted(() => random() - 0.5)
      .slice(0, count);
    const behind = names.reduce(
      (fetch, name) => ALL_STRANGE[name]?.(fetch, random) ?? fetch,
      fetchOf(subject),
    );
    const truth = names.reduce((readings, name) => readingsBehind(name, readings), subject.truth);
    return { fetch: noisy(behind, noise, seed), truth };
  };
}

const unsteadyServers: Setting = (subject, seed, make) => {
  const { fetch, truth } = twoServers(subject, seed, make);
  return { fetch: noisy(fetch, { unavailable: 0.02, reset: 0.02 }, seed), truth };
};

export const withRemovals = withDisturbances((subject, random) => ({
  removal: removalFrom(subject, random),
}));

/** Every setting of the blind runs. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  "no noise": withNoise({}),
  "3 % 503": withNoise({ unavailable: 0.03 }),
  "3 % resets": withNoise({ reset: 0.03 }),
  "2 % HTML": withNoise({ html: 0.02 }),
  "other properties": withNoise({ extraProperties: true, propertyOrder: true, gzip: true }),
  "another writer": (subject, seed) => {
    const random = seeded(seed);
    const noise = { unavailable: 0.02, reset: 0.02, write: () => subject.otherWrite(random) };
    return { fetch: noisy(fetchOf(subject), noise, seed), truth: subject.truth };
  },
  "ranges of 31 days": withDisturbances(() => ({ rangeDays: 31 })),
  "ranges of 366 days": withDisturbances(() => ({ rangeDays: 366 })),
  "ranges cut to days": withDisturbances(() => ({ precision: "day" })),
  "ranges cut to seconds": withDisturbances(() => ({ precision: "second" })),
  "ranges ignored": withDisturbances(() => ({ precision: "ignored" })),
  cache: withDisturbances(() => ({ cache: true })),
  "misleading properties": withDisturbances(() => ({ members: true })),
  removals: withRemovals,
  "two servers": twoServers,
  "two servers and noise": unsteadyServers,
  everything: everything,
  "a random mixture": mixture,
  "something strange": behindStrange(1, {}),
  "three strange things and noise": behindStrange(3, { unavailable: 0.02, reset: 0.02 }),
};
