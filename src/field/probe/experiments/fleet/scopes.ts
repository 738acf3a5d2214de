import { pathSegment } from "../../../../wire/path-segment.ts";
import { FLEET_PATHS, largestPage } from "../../../routes.ts";
import { rowsOf } from "../../exchange.ts";
import { type Definition, experiment } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { type OpenGap, readingsOf } from "../../gap.ts";
import { type ExperimentTools, fleetOf, openParts } from "../../experiment-tools.ts";
import { FIELDS, TEMPLATES, fieldVehicles, firstIdIn, listOf } from "./data.ts";
import { fewestValuesFirst } from "./details.ts";
import {
  type NarrowKey,
  READS,
  enter,
  hasScope,
  knownScope,
  likelyKeys,
  narrowKeys,
  writeScopeOf,
} from "./narrow-keys.ts";

/** A key, whether it has the scope of the table and the one of the prose, and whether it could call the operation. */
interface Opened {
  readonly table: boolean | undefined;
  readonly prose: boolean | undefined;
  readonly isOpen: boolean;
}

/** Returns the possible values of a fact that may not be known. */
function valuesOf(value: boolean | undefined): boolean[] {
  return value === undefined ? [true, false] : [value];
}

/** Whether a rule agrees with the observation, for some value of the unknown facts. */
function agreesWith(rule: (table: boolean, prose: boolean) => boolean): (observed: Opened) => boolean {
  return ({ table, prose, isOpen }) =>
    valuesOf(table).some((a) => valuesOf(prose).some((b) => rule(a, b) === isOpen));
}

/** Which of two scopes opens an operation. */
const RULES = {
  either: agreesWith((table, prose) => table || prose),
  "extra-scopes": agreesWith((table, prose) => table || prose),
  table: agreesWith((table) => table),
  prose: agreesWith((_, prose) => prose),
  both: agreesWith((table, prose) => table && prose),
};

type Rule = (observed: Opened) => boolean;

type Held = Omit<Opened, "isOpen">;

/** Whether a possible response excludes some of the readings, but not all. */
function isInformative(rules: readonly Rule[], has: Held): boolean {
  const counts = [true, false].map((isOpen) => rules.filter((agrees) => agrees({ ...has, isOpen })).length);
  return counts.some((count) => count > 0 && count < rules.length);
}

/** Whether a response could do so if the unknown facts were known. */
function canInform(rules: readonly Rule[], has: Held): boolean {
  return valuesOf(has.table).some((table) =>
    valuesOf(has.prose).some((prose) => isInformative(rules, { table, prose })),
  );
}

/** Whether each response excludes a reading, if the key lacks the scopes that are not known. */
function isDecisive(rules: readonly Rule[], { table = false, prose = false }: Held): boolean {
  return [true, false].every((isOpen) => rules.some((agrees) => !agrees({ table, prose, isOpen })));
}

/**
 * Yields the keys whose responses could exclude one of the remaining readings; the first one is decisive, if there is
 * one.
 */
async function* keysWith(
  tools: ExperimentTools,
  remaining: () => readonly Rule[],
  table: string,
  prose: string,
) {
  const others: { key: NarrowKey; has: Held }[] = [];
  let isOneDecisive = false;
  for (const key of await likelyKeys(tools, table, prose)) {
    const shown = { table: knownScope(key, table), prose: knownScope(key, prose) };
    if (!canInform(remaining(), shown)) continue;
    const has = { table: await hasScope(key, table), prose: await hasScope(key, prose) };
    others.unshift({ key, has });
    isOneDecisive ||= isDecisive(remaining(), has);
    if (!isOneDecisive) continue;
    for (const candidate of others.splice(0)) if (isInformative(remaining(), candidate.has)) yield candidate;
  }
  for (const candidate of others) if (isInformative(remaining(), candidate.has)) yield candidate;
}

function nameOf(has: boolean | undefined): string {
  return has === undefined ? "perhaps" : has ? "with" : "without";
}

/** Creates the experiment of an operation for which the table and the prose name different scopes. */
function disputedScope<Gap extends "scopes.list-templates" | "scopes.get-damage" | "scopes.field-vehicles">(
  gap: Gap,
  cost: number,
  needs: string,
  pathFor: (tools: ExperimentTools) => Promise<string>,
  table: string,
  proses: readonly [string, ...string[]],
  after: readonly OpenGap[] = [],
) {
  return experiment<Gap, Opened>({
    gap,
    cost,
    after,
    needs,
    assumes: "The scopes that a 403 lists are those of the key.",
    parts: proses.length > 1 ? proses : [],
    observe: async function* observe(tools) {
      const path = await pathFor(tools);
      const rules = readingsOf(gap).map((reading) => RULES[reading as keyof typeof RULES]); // the same names
      // the first round asks as little as possible
      for (const prose of tools.round === 1 ? proses.slice(0, 1) : openParts(tools, proses)) {
        let remaining = rules;
        for await (const { key, has } of keysWith(tools, () => remaining, table, prose)) {
          const entered = await enter(tools, key.service, path);
          if (entered === undefined) continue;
          const { isOpen } = entered;
          const left = remaining.filter((agrees) => agrees({ ...has, isOpen }));
          // one reading, or a contradiction, is confirmed by every key
          remaining = left.length > 1 ? left : rules;
          const name = `${nameOf(has.table)} ${table} and ${nameOf(has.prose)} ${prose}`;
          const subject = has.prose === true && proses.length > 1 ? prose : key.service.target.as;
          yield entered.observe(subject, { ...has, isOpen }, name);
        }
      }
      throw new Missing(`a key with only ${table} and one with only ${proses.join(", and one with only ")}`);
    },
    readings: RULES as Definition<Gap, Opened>["readings"], // has the readings of each of these gaps
  });
}

/** Its requests show the scopes of the keys, or which lists they may read. */
const SCOPES_KNOWN = ["scopes.field-vehicles"] as const;

export const listTemplatesScope = disputedScope(
  "scopes.list-templates",
  1.5,
  "a key with only inspection-templates:read and one with only inspections:read",
  async () => TEMPLATES,
  "inspection-templates:read",
  ["inspections:read"],
  SCOPES_KNOWN,
);

export const getDamageScope = disputedScope(
  "scopes.get-damage",
  1.5,
  "a damage, a key with only damages:read and one with only vehicles:read",
  async (tools) => {
    // fleet.absent-properties also reads it
    const [id] = fewestValuesFirst(rowsOf(await listOf(tools, FLEET_PATHS.damages)));
    if (id === undefined) throw new Missing("a damage");
    return `${FLEET_PATHS.damages}/${pathSegment(id)}`;
  },
  "damages:read",
  ["vehicles:read"],
  SCOPES_KNOWN,
);

export const fieldVehiclesScope = disputedScope(
  "scopes.field-vehicles",
  3,
  "a vehicle field, a key with vehicles:read and one with vehicles:write, both without vehicle-fields:read",
  async (tools) => fieldVehicles(await firstIdIn(tools, FIELDS, "a vehicle field")),
  "vehicle-fields:read",
  ["vehicles:read", "vehicles:write"],
);

export const scopeImplications = experiment({
  gap: "scopes.implications",
  // the scopes of the keys are known then
  cost: 0.6,
  chance: 0.4,
  after: ["scopes.get-damage", "scopes.field-vehicles"],
  needs: "for each resource, a key with its write scope, but without its read scope",
  assumes: "Only a write scope can include another one, which is the read scope of its resource.",
  parts: READS.map(([scope]) => scope),
  observe: async function* observe(tools) {
    for await (const { service, available = [] } of narrowKeys(tools)) {
      const isKnown = ([, path]: (typeof READS)[number]): boolean =>
        fleetOf(tools).known(path, largestPage(path)) !== undefined;
      for (const [scope, path] of READS.toSorted((a, b) => Number(isKnown(b)) - Number(isKnown(a)))) {
        const write = writeScopeOf(scope);
        if (available.includes(scope) || !available.includes(write)) continue;
        const entered = await enter(tools, service, path);
        if (entered === undefined) continue;
        yield entered.observe(scope, entered.isOpen, `with ${write} and without ${scope}`);
      }
    }
  },
  readings: { none: false, "write-implies-read": true },
});
