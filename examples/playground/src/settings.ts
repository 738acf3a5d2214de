import type { FleetReadings, StoreReadings, StoreStrategies } from "shelfleet";
import { gaps } from "shelfleet/gaps";
import { isRecord, keptSignal } from "./kept-signal.ts";
import { readings, server } from "./server.ts";
import type { ChosenReadings } from "./server-options.ts";

/** The options of both clients. The code omits those that are defaults. */
export interface Settings {
  timeout: number;
  retry: number;
  validate: "envelope" | "full";
  apiVersion: string;
  strategy: NonNullable<StoreStrategies["protocols.next-page"]>;
  /** Whether the clients get the readings that they have an option for. */
  usesServerReadings: boolean;
}

export const defaults: Settings = {
  timeout: 2_000,
  retry: 2,
  validate: "envelope",
  apiVersion: "",
  strategy: "auto",
  usesServerReadings: true,
};

export const settings = keptSignal<Settings>("settings", defaults, areSettings);

/** Each stored setting must have the type of its default; the clients check the values. */
function areSettings(value: unknown): value is Settings {
  return (
    isRecord(value) &&
    Object.entries(defaults).every(([name, usual]) => typeof value[name] === typeof usual) &&
    String(value.strategy) in gaps["protocols.next-page"].strategies
  );
}

/** The gaps whose reading is an option of a client. */
const STORE_GAPS = ["photos.page-shape"] as const satisfies (keyof StoreReadings)[];
const FLEET_GAPS = [
  "templates.group-filter",
  "templates.title-filter",
  "lists.undocumented",
] as const satisfies (keyof FleetReadings)[];

/** The gaps that the clients have an option for. */
export const clientGaps: readonly string[] = [...STORE_GAPS, ...FLEET_GAPS];

function shared() {
  const { timeout, retry, validate } = settings.value;
  return { timeout, ...(retry !== 2 && { retry }), ...(validate !== "envelope" && { validate }) };
}

/** The options of the store client, as the code shows them. */
export function storeOptions() {
  const { strategy, usesServerReadings } = settings.value;
  const { storeUrl: baseUrl, token } = server.value;
  return {
    baseUrl,
    token,
    ...shared(),
    ...(strategy !== "auto" && { strategies: { "protocols.next-page": strategy } }),
    ...(usesServerReadings && readingsOption<StoreReadings>(STORE_GAPS)),
  };
}

/** The options of the fleet client, as the code shows them. */
export function fleetOptions() {
  const { apiVersion, usesServerReadings } = settings.value;
  const { fleetUrl: baseUrl, keys } = server.value;
  return {
    baseUrl,
    key: keys[0]?.key ?? "",
    ...shared(),
    ...(apiVersion !== "" && { apiVersion }),
    ...(usesServerReadings && readingsOption<FleetReadings>(FLEET_GAPS)),
  };
}

/** The readings of these gaps that are not the default. */
function readingsOption<Known>(names: readonly (keyof Known & keyof ChosenReadings)[]): { readings?: Known } {
  const chosen = readings.value;
  const switched = names.filter((gap) => chosen[gap] !== undefined && chosen[gap] !== gaps[gap].default);
  if (switched.length === 0) return {};
  // the client and the server know the same readings of these gaps
  return { readings: Object.fromEntries(switched.map((gap) => [gap, chosen[gap]])) as Known };
}
