import { type Family, type Runs, type ScenarioRows, families } from "./model.ts";
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

const ROWS: Record<Family, ScenarioRows> = {
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

const ONCE: Runs = { kind: "once" };

const all = families.flatMap((family) =>
  Object.entries(ROWS[family]).flatMap(([name, { tasks, runs = ONCE, faults = [], ...row }]) =>
    tasks.map((task) => new Scenario({ ...row, name, family, task, runs, faults })),
  ),
);

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
