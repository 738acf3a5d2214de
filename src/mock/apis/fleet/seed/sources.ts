import type { Random } from "../../../../wire/random.ts";
import type { FleetSeedPlan } from "../options.ts";
import type { FleetResource, FleetRow } from "../data.ts";
import { completeRows } from "./own-rows.ts";

/** The seed rows of a resource, which are always the same. */
export interface Source {
  readonly ids: readonly string[];
  readonly rowOf: (id: string) => FleetRow;
}

export type Sources = Record<FleetResource, Source>;

/** The default number of rows. */
const COUNTS: Record<FleetResource, number> = {
  vehicles: 100,
  vehicleGroups: 5,
  vehicleFields: 6,
  inspections: 60,
  inspectionTemplates: 6,
  damages: 40,
  driverAssignments: 40,
};

/** Returns the given rows, or a number of generated rows. Rows are generated only if `needed` has rows. */
export function sourceOf(
  resource: FleetResource,
  plan: FleetSeedPlan,
  needed: Partial<Sources>,
  make: (count: number) => Source,
): Source {
  const wanted = plan.options[resource];
  if (Array.isArray(wanted)) return listSource(completeRows(wanted, resource, plan));
  const missing = Object.entries(needed).filter(([, { ids }]) => ids.length === 0);
  if (missing.length === 0) return make(wanted ?? COUNTS[resource]);
  if (wanted === undefined || wanted === 0) return make(0);
  const names = missing.map(([name]) => `fleet.${name}`).join(" and ");
  throw new Error(
    `fleet.${resource}: ${wanted} cannot be generated without ${names}; pass rows instead of a number`,
  );
}

/** Rows `prefix-1`, `prefix-2`, … */
export function numberedSource(
  prefix: string,
  count: number,
  rowOf: (number: number, id: string) => FleetRow,
): Source {
  const ids = Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
  return { ids, rowOf: (id) => rowOf(Number(id.slice(prefix.length + 1)), id) };
}

/** Numbers repeated names: `North`, …, `North 2`. */
export function numberedName(name: string, number: number, names: number): string {
  const round = Math.ceil(number / names);
  return round === 1 ? name : `${name} ${round}`;
}

export function listSource(rows: readonly FleetRow[]): Source {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { ids: [...byId.keys()], rowOf: (id) => structuredClone(byId.get(id) ?? { id }) };
}

export const EMPTY_SOURCE: Source = listSource([]);

/** Joins two sources; the rows of the first have precedence. */
export function joinSources(first: Source, second: Source): Source {
  const own = new Set(first.ids);
  const ids = [...first.ids, ...second.ids.filter((id) => !own.has(id))];
  return { ids, rowOf: (id) => (own.has(id) ? first : second).rowOf(id) };
}

/** Caches the rows of a source for lookups; they must not be changed or stored. */
export function cacheSource({ ids, rowOf }: Source): Source {
  const rows = new Map<string, FleetRow>();
  return {
    ids,
    rowOf: (id) => {
      const row = rows.get(id) ?? rowOf(id);
      rows.set(id, row);
      return row;
    },
  };
}

/** Returns the value of a numbered row: under `open`, two of three rows have a value that the contract does not show. */
export function listedOr(
  reading: "documented" | "open",
  number: number,
  listed: string,
  unlisted: readonly string[],
): string {
  const kinds = [listed, ...unlisted];
  return reading === "open" ? (kinds[number % kinds.length] ?? listed) : listed;
}

/** Returns up to `maximum` values of a list, each once. */
export function pickSome<Value>(random: Random, values: readonly Value[], maximum: number): Value[] {
  const count = Math.min(random.integer(1, maximum), values.length);
  const chosen = new Set<Value>();
  while (chosen.size < count) chosen.add(random.pick(values));
  return [...chosen];
}
