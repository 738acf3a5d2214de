import { type Family, type ScenarioRow, families } from "./model.ts";
import { Scenario } from "./scenario.ts";
import { credentialRows } from "./rows/credentials.ts";
import { dataRows } from "./rows/data.ts";
import { limitRows } from "./rows/limits.ts";
import { listRows } from "./rows/lists.ts";
import { networkRows } from "./rows/networks.ts";
import { plainRows } from "./rows/plain.ts";
import { readingRows } from "./rows/readings.ts";
import { stopRows } from "./rows/stops.ts";
import { writeRows } from "./rows/writes.ts";

export { type CauseId, causes } from "./causes.ts";
export type { Finding, FindingKind } from "./judge/rows.ts";
export type { Family, TaskInput } from "./model.ts";
export type { Report, ReportedRequest } from "./report.ts";
export {
  Scenario,
  type ScenarioContext,
  ScenarioError,
  type ScenarioOptions,
  type ScenarioProgram,
} from "./scenario.ts";
export type { ScenarioFetch } from "./scenario.ts";
export { tellStory } from "./report.ts";
export type { TaskName } from "./tasks/names.ts";
export type { Verdict } from "./verdict.ts";

const ROWS: Record<Family, readonly ScenarioRow[]> = {
  plain: plainRows,
  lists: listRows,
  readings: readingRows,
  networks: networkRows,
  limits: limitRows,
  credentials: credentialRows,
  writes: writeRows,
  data: dataRows,
  stops: stopRows,
};

const all = families.flatMap((family) => ROWS[family].flatMap((row) => expand(family, row)));

function expand(
  family: Family,
  { tasks, runs = { kind: "once" }, faults = [], ...row }: ScenarioRow,
): Scenario[] {
  return tasks.map((task) => new Scenario({ ...row, family, task, runs, faults }));
}

/**
 * All scenarios, by API.
 *
 * @example
 * for (const scenario of scenarios.store.filter(({ task }) => task === "copy-stores"))
 *   test(scenario.name, () => scenario.run(({ storeUrl, token, fetch, deliver }) => copyStores(…)));
 */
export const scenarios: { readonly [Api in "store" | "fleet" | "all"]: readonly Scenario[] } = {
  store: all.filter(({ api }) => api === "store"),
  fleet: all.filter(({ api }) => api === "fleet"),
  all,
};
