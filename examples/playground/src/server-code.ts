import { scopes } from "shelfleet";
import { gaps } from "shelfleet/gaps";
import { planCode } from "./faults/fault-plan.ts";
import { Expression, literal } from "./literal.ts";
import type { Operation } from "./operations.ts";
import { changes, keyScopes, keyState, limits, readings, server, stateFile } from "./server.ts";
import { KEY, keyOptions, range, seeds } from "./server-options.ts";

/** The code that creates the server of this page, and what it imports. */
interface ServerCode {
  imports: string[];
  /** The names that the code imports from `shelfleet`. */
  names: string[];
  code: string;
}

/** The TypeScript that creates a server with the readings, limits, key and faults of the one in the page. */
export function serverCode(api: Operation["api"]): ServerCode {
  void changes.value; // subscribes to changes of the faults, which are not in a signal
  const file = stateFile.value;
  const hasEveryScope = keyScopes.value.length === scopes.length;
  const faults = server.value.overrides.all().map((pending) => `${planCode(pending)}\n`);
  const key = api === "fleet" ? `const key = ${literal(KEY)};\n` : "";
  return {
    imports: file === null ? [] : ['import { readFileSync } from "node:fs";'],
    names: api === "fleet" && hasEveryScope ? ["scopes"] : [],
    code: `${key}const ref = createReferenceServer(${literal(options(api))});\n${faults.join("")}`.trimEnd(),
  };
}

function options(api: Operation["api"]): Record<string, unknown> {
  const file = stateFile.value;
  const chosen = { ...chosenReadings(), ...chosenLimits() };
  const fleetKey = api === "fleet" && { keys: [keyLiteral()] };
  if (file !== null) {
    const state = new Expression(`JSON.parse(readFileSync(${literal(file.name)}, "utf8"))`);
    return { seed: seeds.seed, state, ...(fleetKey && { fleet: fleetKey }), ...chosen };
  }
  return {
    seed: seeds.seed,
    now: range.to,
    store: seeds.store,
    fleet: { ...fleetKey, ...seeds.fleet },
    ...chosen,
  };
}

function keyLiteral(): Record<string, unknown> {
  const all = keyScopes.value.length === scopes.length;
  return {
    key: new Expression("key"),
    scopes: all ? new Expression("[...scopes]") : keyScopes.value,
    ...keyOptions(keyState.value),
  };
}

/** The readings that differ from the defaults; with limits also those that apply them. */
function chosenReadings(): { readings?: object } {
  const chosen = Object.entries(readings.value).filter(
    ([gap, reading]) =>
      reading !== gaps[gap as keyof typeof readings.value].default ||
      (limits.value !== null && gap.startsWith("limits.")),
  );
  return chosen.length === 0 ? {} : { readings: Object.fromEntries(chosen) };
}

function chosenLimits(): { limits?: object } {
  return limits.value === null ? {} : { limits: limits.value };
}
