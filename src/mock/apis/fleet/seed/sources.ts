import type { JsonObject } from "../../../../../generated/fleet.ts";
import type { Random } from "../../../kernel/random.ts";
import type { FleetSeedPlan } from "./plan.ts";
import type { FleetResource } from "../data.ts";
import { completeRows } from "./own-rows.ts";

/** What a resource begins with: the same rows whenever they are asked for, whatever was changed since. */
export interface Source {
  readonly ids: readonly string[];
  readonly rowOf: (id: string) => JsonObject;
}

/** The sources of all resources. */
export type Sources = Record<FleetResource, Source>;

/** How many rows there are where the caller does not say. */
const COUNTS: Record<FleetResource, number> = {
  vehicles: 100,
  vehicleGroups: 5,
  vehicleFields: 6,
  inspections: 60,
  inspectionTemplates: 6,
  damages: 40,
  driverAssignments: 40,
};

/** The caller's rows, or as many as wanted of the server's own. What cannot be without `needed` is not made without. */
export function sourceOf(
  resource: FleetResource,
  plan: FleetSeedPlan,
  needed: Partial<Sources>,
  make: (count: number) => Source,
): Source {
  const wanted = plan.options[resource];
  if (Array.isArray(wanted)) return listSource(completeRows(wanted, resource, plan));
  const lacking = Object.entries(needed).filter(([, { ids }]) => ids.length === 0);
  if (lacking.length === 0) return make(wanted ?? COUNTS[resource]);
  if (wanted === undefined || wanted === 0) return make(0);
  const names = lacking.map(([name]) => `fleet.${name}`).join(" and ");
  throw new Error(`fleet.${resource}: ${wanted} cannot be made up without ${names}; give rows of your own`);
}

/** Rows `prefix-1`, `prefix-2`, … */
export function numberedSource(
  prefix: string,
  count: number,
  rowOf: (number: number, id: string) => JsonObject,
): Source {
  const ids = Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
  return { ids, rowOf: (id) => rowOf(Number(id.slice(prefix.length + 1)), id) };
}

/** The first round of names stands alone, later ones are counted: `North`, …, `North 2`. */
export function numberedName(name: string, number: number, names: number): string {
  const round = Math.ceil(number / names);
  return round === 1 ? name : `${name} ${round}`;
}

/** Rows that are there already. */
export function listSource(rows: readonly JsonObject[]): Source {
  const byId = new Map(rows.map((row) => [row.id as string, row]));
  return { ids: [...byId.keys()], rowOf: (id) => structuredClone(byId.get(id) ?? { id }) };
}

/** No rows. */
export const EMPTY_SOURCE: Source = listSource([]);

/** The rows of one source, then those of another that it does not have. */
export function joinSources(one: Source, other: Source): Source {
  const own = new Set(one.ids);
  const ids = [...one.ids, ...other.ids.filter((id) => !own.has(id))];
  return { ids, rowOf: (id) => (own.has(id) ? one : other).rowOf(id) };
}

/** The same source, for looking up: a row is made once, and must not be changed or kept in the state. */
export function cacheSource({ ids, rowOf }: Source): Source {
  const rows = new Map<string, JsonObject>();
  return {
    ids,
    rowOf: (id) => {
      const row = rows.get(id) ?? rowOf(id);
      rows.set(id, row);
      return row;
    },
  };
}

/** One of a list that is not empty. */
export function pickOne<Value>(random: Random, values: readonly Value[]): Value {
  return values[random.integer(0, values.length - 1)] as Value;
}

/** Up to `most` of a list, each once. */
export function pickSome<Value>(random: Random, values: readonly Value[], most: number): Value[] {
  const count = Math.min(random.integer(1, most), values.length);
  const chosen = new Set<Value>();
  while (chosen.size < count) chosen.add(pickOne(random, values));
  return [...chosen];
}
