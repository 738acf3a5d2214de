import { scopes } from "../../../generated/fleet.operations.ts";
import { mockReadings } from "../../../generated/readings.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import type { ProbeOptions } from "../../../src/field/probe/options.ts";
import { createFleetModel } from "../../models/fleet-model.ts";
import { fleetGaps, onlyInMock, storeGaps } from "../../models/readings.ts";
import { createStoreModel } from "../../models/store-model.ts";

/** A reading of each gap that a server plays. */
export type Readings = Readonly<Record<string, string>>;

/** A server whose readings the probe does not know. */
export interface Subject {
  readonly truth: Readings;
  /** URLs, secrets and `fetch`. */
  readonly options: ProbeOptions;
  /** The whole state, except counters, filters that a read left, and deleted rows. */
  state(): string;
  /** Writes as another client. */
  otherWrite(random: () => number): Promise<unknown>;
  /** Writes that took effect. */
  writes(): number;
  /** Lets the counters of the service be those of one that has run for long. */
  age?(): void;
  /** Removes a store and an entity of the fleet, as another client. */
  remove?(random: () => number): void;
  /** Removes a store, and the newest entities of the sandbox, as another client. */
  removeWritten?(externalId: string): void;
}

/** A seeded generator of numbers from 0 to 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A random reading for each gap of a table. */
function chooseReadings(
  table: Readonly<Record<string, readonly string[]>>,
  random: () => number,
): Record<string, string> {
  const entries = Object.entries(table).map(([gap, readings]) => {
    const at = Math.floor(random() * readings.length);
    return [gap, readings[at] ?? readings[0] ?? ""] as const;
  });
  return Object.fromEntries(entries);
}

const digits = (letter: string): string => letter.repeat(64);
const MAIN = `fleet_${digits("a")}`;
const SANDBOX = `fleet_test_${digits("b")}`;

/** The scopes of narrow keys. */
const NARROW = [
  ["inspection-templates:read"],
  ["inspections:read"],
  ["damages:read"],
  ["vehicles:read"],
  ["vehicles:write", "vehicle-groups:write"],
] as const;

const narrowKeys = NARROW.map((_, index) => `fleet_${digits(String(index + 1))}`);

type Send = (input: Request) => Promise<Response>;

interface Credentials {
  readonly storeUrl: string;
  readonly token: string;
  readonly fleetUrl: string;
  readonly key: string;
}

/** Changes a store that is not the scratch store, or adds a vehicle. */
function otherWrite(
  send: Send,
  { storeUrl, token, fleetUrl, key }: Credentials,
  random: () => number,
): Promise<Response> {
  const number = Math.floor(random() * 1e9);
  const isStore = random() < 0.5;
  const url = isStore ? `${storeUrl}/v1/stores/OTHER-${number % 3}` : `${fleetUrl}/vehicles`;
  const body = isStore
    ? {
        name: `Other ${number}`,
        loginCode: "1",
        protocolCronEnabled: false,
        onboardingComplete: false,
        protocolScheduleId: SCHEDULE,
      }
    : { plateNumber: `OT ${number}`, brand: "Other", model: "Other" };
  return send(
    new Request(url, {
      method: isStore ? "PUT" : "POST",
      headers: {
        authorization: `Bearer ${isStore ? token : key}`,
        "content-type": "application/json",
        ...(!isStore && { "x-service-api-version": "v1" }),
      },
      body: JSON.stringify(body),
    }),
  );
}

/** A body that creates a store under every reading. */
const NEW_STORE = {
  name: "Made before the run",
  loginCode: "1",
  protocolCronEnabled: false,
  onboardingComplete: false,
  protocolScheduleId: "4e2f1f7a-1111-4a4a-8b8b-000000000001",
};

const SCHEDULE = "4e2f1f7a-1111-4a4a-8b8b-000000000001";

const HIDDEN: ReadonlySet<string> = new Set(["requests", "remembered", "ids", "sequence"]);

function observable(state: unknown): string {
  return JSON.stringify(state, (name, value: unknown) => {
    if (HIDDEN.has(name)) return undefined;
    return Array.isArray(value) ? value.filter((row) => !isDeleted(row)) : value;
  });
}

function isDeleted(row: unknown): boolean {
  return typeof row === "object" && row !== null && "deleted" in row && row.deleted === true;
}

/** The readings of the reference server that no option switches. */
const ONLY_READINGS: Readings = {
  "fleet.undocumented-responses": "envelope",
  "fleet.patch-content-type": "json",
  "lists.filters-across-pages": "repeated",
};

/** The project's reference server under random readings. */
export function referenceSubject(seed: number, stores: number, fixed: Readings = {}): Subject {
  // a probe has its own clock, and the limits of the reference server follow real time
  const { "limits.store-rate": _store, "limits.fleet-rate": _fleet, ...table } = mockReadings;
  const readings = { ...chooseReadings(table, seeded(seed)), ...fixed };
  const none = {
    vehicles: 0,
    vehicleGroups: 0,
    vehicleFields: 0,
    inspections: 0,
    inspectionTemplates: 0,
    damages: 0,
    driverAssignments: 0,
  };
  const ref = createReferenceServer({
    seed,
    store: { stores },
    fleet: {
      ...(stores === 0 && none),
      keys: [
        { key: MAIN, scopes: [...scopes] },
        { key: SANDBOX, scopes: [...scopes] },
        ...NARROW.map((held, index) => ({ key: narrowKeys[index] ?? "", scopes: [...held] })),
      ],
    },
    readings,
  });
  return {
    truth: { ...ref.readings, ...ONLY_READINGS },
    options: {
      storeUrl: ref.storeUrl,
      token: ref.token,
      fleetUrl: ref.fleetUrl,
      key: MAIN,
      sandboxUrl: ref.sandboxUrl,
      sandboxKey: SANDBOX,
      narrowKeys,
      fetch: (input, init) => ref.fetch(input, init),
    },
    state: () => observable(ref.exportState()),
    otherWrite: (random) =>
      otherWrite(
        ref.fetch,
        { storeUrl: ref.storeUrl, token: ref.token, fleetUrl: ref.fleetUrl, key: MAIN },
        random,
      ),
    writes: () => ref.journal.all().filter(({ method }: { method: string }) => method !== "GET").length,
    age: () => ref.importState({ ...ref.exportState(), generatedIds: 10_000 }),
  };
}

const STORE_URL = "https://stores.test";
const SANDBOX_URL = "https://sandbox.fleet.test/api/third-party/v1";
const FLEET_URL = "https://fleet.test/api/third-party/v1";

/** Data that services rarely have. */
export interface RareData {
  /** Stores without external ID. */
  readonly unnamed?: number;
  /** Further scopes of a narrow key. */
  readonly scopes?: readonly string[];
  /** Whether the main key has hexadecimal digits in capitals. */
  readonly isUpperCase?: boolean;
  /** External IDs of stores that are created before the run. */
  readonly externalIds?: readonly string[];
  /** Requests per second under the readings with a rate limit. */
  readonly rate?: number;
}

/** Two servers that share no code with the project. Their author has not seen the experiments. */
export function modelSubject(
  seed: number,
  stores: number,
  fixed: Readings = {},
  { unnamed, scopes: rareScopes = [], isUpperCase = false, externalIds = [], rate: perSecond }: RareData = {},
): Subject {
  const chance = seeded(seed);
  const rate = perSecond === undefined ? { requests: 1e9, perMs: 1 } : { requests: perSecond, perMs: 1000 };
  const store = createStoreModel({
    readings: { ...chooseReadings(storeGaps, chance), ...fixed },
    seed,
    stores,
    rate,
    ...(unnamed !== undefined && { unnamed }),
  });
  for (const id of externalIds) {
    const headers = { authorization: store.authorization, "content-type": "application/json" };
    const target = `/v1/stores/${encodeURIComponent(id)}`;
    store.handle({ method: "PUT", target, headers, body: JSON.stringify(NEW_STORE) });
  }
  const fleetReadings = { ...chooseReadings(fleetGaps, chance), ...fixed };
  const vehicles = stores === 0 ? 0 : undefined;
  const fleet = createFleetModel({
    readings: fleetReadings,
    seed,
    rate,
    vehicles,
    environment: "production",
  });
  const sandbox = createFleetModel({ readings: fleetReadings, seed, rate, vehicles, environment: "sandbox" });
  const keys = NARROW.map((held) => fleet.makeKey([...held]) ?? "");
  for (const scope of rareScopes) {
    const key = fleet.makeKey(["vehicle-groups:read", scope]);
    if (key !== undefined) keys.unshift(key);
  }
  // a service that makes no such key is probed with a usual one
  const key = (isUpperCase ? fleet.makeKey([...scopes], true) : undefined) ?? fleet.key;
  const secrets = {
    storeUrl: STORE_URL,
    token: store.authorization.replace("Bearer ", ""),
    fleetUrl: FLEET_URL,
    key,
  };
  const send: Send = async (input) => {
    const url = new URL(input.url);
    if (url.origin === STORE_URL) return store.fetch(input);
    return url.href.startsWith(SANDBOX_URL) ? sandbox.fetch(input) : fleet.fetch(input);
  };
  return {
    truth: { ...onlyInMock, ...store.readings, ...fleet.readings },
    options: {
      ...secrets,
      sandboxUrl: SANDBOX_URL,
      sandboxKey: sandbox.key,
      narrowKeys: keys,
      fetch: send,
    },
    state: () => observable({ store: store.state, fleet: fleet.state, sandbox: sandbox.state }),
    otherWrite: (random) => otherWrite(send, { ...secrets }, random),
    writes: () => store.applied.length + fleet.applied.length + sandbox.applied.length,
    age: () => {
      store.state.requests += 10_000;
    },
    removeWritten: (externalId) => {
      store.change((state) => {
        state.stores = state.stores.filter((one) => one.store.externalId !== externalId);
      });
      sandbox.change(({ entities }) => {
        for (const rows of Object.values(entities)) rows.pop();
      });
    },
    remove: (random) => {
      // the entities at the beginning are those that a probe looks at
      store.change(({ stores: all }) => void all.splice(Math.floor(random() * 2), 1));
      for (const { change } of [fleet, sandbox])
        change(({ entities }) => {
          for (const rows of Object.values(entities)) rows.splice(Math.floor(random() * 2), 1);
        });
    },
  };
}

/** The paths at which two states differ, with shortened values. */
export function changes(before: string, after: string): string[] {
  return differences(JSON.parse(before), JSON.parse(after), "");
}

function differences(one: unknown, other: unknown, path: string): string[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return [];
  if (!isContainer(one) || !isContainer(other)) return [`${path}: ${short(one)} → ${short(other)}`];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => differences(one[name], other[name], `${path}.${name}`));
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function short(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 120);
}
