/** Makes a failing history smaller: the smallest scenario that still breaks the same rule. */
import type { Scenario, Step } from "./scenario.ts";
import { runWithTwins } from "./twins.ts";

/** The kind of a violation, without the names and numbers of its history. */
export function kindOf(violation: string): string {
  const words = violation.replace(/\b(?:call|walk|plan)-\d+-\d+[\w.-]*|#?\b\d[\w.:-]*/g, "*");
  return words.split(/: |, /, 1)[0] ?? words;
}

/** The first violation that another run of the scenario has as well. */
async function fails(scenario: Scenario, kind: string): Promise<boolean> {
  const { violations } = await runWithTwins(scenario);
  return violations.some((violation) => kindOf(violation) === kind);
}

/** Removes parts of the scenario as long as it breaks the same rule. Runs at most `maximum` histories. */
export async function shrink(scenario: Scenario, kind: string, maximum = 800): Promise<Scenario> {
  let smallest = scenario;
  let runs = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of candidates(smallest)) {
      if (runs >= maximum) return smallest;
      runs += 1;
      if (!(await fails(candidate, kind))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/** Scenarios with one thing less, the largest steps first. */
function* candidates(scenario: Scenario): Generator<Scenario> {
  const { programs, faults, changes, readings, client, world } = scenario;
  if (programs.length > 1) for (const rest of without(programs)) yield { ...scenario, programs: rest };
  if (Object.keys(faults).length > 0) yield { ...scenario, faults: {} };
  if (Object.keys(changes).length > 0) yield { ...scenario, changes: {} };
  for (const [number, steps] of programs.entries())
    for (const rest of without(steps))
      yield* moveFaults({ ...scenario, programs: programs.with(number, rest) });
  for (const rest of withoutProperties(faults)) yield { ...scenario, faults: rest };
  for (const rest of withoutProperties(changes)) yield { ...scenario, changes: rest };
  for (const rest of withoutProperties(readings)) yield { ...scenario, readings: rest };
  const { via, token, configuredGaps, ...options } = client;
  for (const rest of withoutProperties(options))
    yield { ...scenario, client: { via, token, configuredGaps, ...rest } };
  for (const rest of without(configuredGaps))
    yield { ...scenario, client: { ...client, configuredGaps: rest } };
  if (via === "fetch") yield { ...scenario, client: { ...client, via: "transport" } };
  if (token !== "fixed") yield { ...scenario, client: { ...client, token: "fixed" } };
  for (const name of ["entities", "unnamed", "protocols"] as const)
    for (const size of new Set([Math.floor(world[name] / 2), world[name] - 1]))
      if (size >= 0) yield { ...scenario, world: { ...world, [name]: size } };
  for (const [number, steps] of programs.entries())
    for (const [at, step] of steps.entries())
      for (const smaller of smallerSteps(step))
        yield { ...scenario, programs: programs.with(number, steps.with(at, smaller)) };
}

/** Without a step the requests have other numbers: the faults and changes move with them. */
function* moveFaults(scenario: Scenario): Generator<Scenario> {
  for (const by of [0, 1, 2, 3, 4]) {
    const faults = earlier(scenario.faults, by);
    const changes = earlier(scenario.changes, by);
    if (faults !== undefined && changes !== undefined) yield { ...scenario, faults, changes };
  }
}

function earlier<T>(byNumber: Readonly<Record<number, T>>, by: number): Record<number, T> | undefined {
  const entries = Object.entries(byNumber).map(([number, value]) => [Number(number) - by, value] as const);
  return entries.every(([number]) => number > 0) ? Object.fromEntries(entries) : undefined;
}

const needed = "do method args path query by desired since lateness runs until externalId";
const neededByStep = new Set(needed.split(" "));
const neededByQuery = new Set(["from", "to"]);

function* smallerSteps(step: Step): Generator<Step> {
  for (const name of Object.keys(step)) if (!neededByStep.has(name)) yield omit(step, name);
  if (step.do === "plan")
    for (const rest of without(step.desired)) if (rest.length > 0) yield { ...step, desired: rest };
  if (step.do === "pull") {
    for (const rest of without(step.runs)) if (rest.length > 0) yield { ...step, runs: rest };
    for (const [at, { until, kill }] of step.runs.entries())
      if (kill !== undefined) yield { ...step, runs: step.runs.with(at, { until }) };
  }
  if (step.do !== "walk") return;
  const { kills = [], query } = step;
  if (kills.length > 1) for (const rest of without(kills)) yield { ...step, kills: rest };
  for (const name of Object.keys(query))
    if (!neededByQuery.has(name)) yield { ...step, query: omit(query, name) };
}

function* without<T>(list: readonly T[]): Generator<T[]> {
  for (const at of list.keys()) yield list.toSpliced(at, 1);
}

function* withoutProperties<T extends object>(properties: T): Generator<T> {
  for (const name of Object.keys(properties)) yield omit(properties, name);
}

/** The type stays the same: only optional properties are omitted. */
function omit<T extends object>(properties: T, name: string): T {
  return Object.fromEntries(Object.entries(properties).filter(([other]) => other !== name)) as T;
}

/** A scenario as a test that can be pasted into `regressions.test.ts`. */
export function toTest(title: string, scenario: Scenario): string {
  const properties = Object.entries(scenario).filter(([name]) => name !== "programs");
  const lines = properties.map(([name, value]) => `    ${name}: ${toCode(value)},`);
  const programs = scenario.programs.map((steps) => {
    const calls = steps.map((step) => `        ${toCode(step)},`);
    return ["      [", ...calls, "      ],"].join("\n");
  });
  const history = ["  expectSound({", ...lines, "    programs: [", ...programs, "    ],", "  }));"];
  return [`test(${JSON.stringify(title.slice(0, 80))}, () =>`, ...history].join("\n");
}

function toCode(value: unknown): string {
  return JSON.stringify(value)
    .replace(/"([A-Za-z_]\w*)":/g, "$1: ")
    .replace(/,(?=\S)/g, ", ");
}
