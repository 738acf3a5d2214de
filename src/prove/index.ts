import { namesOf } from "../wire/names.ts";
import { type Family, type Rows, row } from "./row.ts";
import { dataRows } from "./rows/data.ts";
import { listRows } from "./rows/lists.ts";
import { networkRows } from "./rows/networks.ts";
import { readingRows } from "./rows/readings.ts";
import { credentialRows, limitRows } from "./rows/refusals.ts";
import { stopRows, writeRows } from "./rows/writes.ts";
import { Scenario } from "./scenario.ts";
import { apiOf, tasks } from "./tasks/index.ts";

export type { Finding, FindingKind } from "./findings.ts";
export { type Report, tellStory, type Verdict } from "./report.ts";
export type { Family } from "./row.ts";
export {
  Scenario,
  type ScenarioContext,
  ScenarioError,
  type ScenarioOptions,
  type ScenarioProgram,
} from "./scenario.ts";
export type { TaskInput, TaskName } from "./tasks/index.ts";

/** All rows by their families, in the order of the documentation. */
const table: Readonly<Record<Family, Rows>> = {
  // every task in a world without faults: a failure here is not about robustness
  plain: {
    "no-fault": row(namesOf(tasks), "basics", {
      why: "Most days nothing happens: the lists have several pages, and everything works.",
    }),
  },
  lists: listRows,
  readings: readingRows,
  networks: networkRows,
  limits: limitRows,
  credentials: credentialRows,
  writes: writeRows,
  data: dataRows,
  stops: stopRows,
};

/**
 * All scenarios.
 *
 * @example
 * for (const scenario of scenarios.filter(({ task }) => task === "copy-stores"))
 *   test(scenario.name, () => scenario.run(({ storeUrl, readToken, deliver }) => copyStores(…)));
 */
export const scenarios: readonly Scenario[] = namesOf(table).flatMap((family) =>
  Object.entries(table[family]).flatMap(([event, line]) =>
    line.tasks.map((taskName) => {
      const name = `${taskName}/${event}`;
      const [task, api] = [tasks[taskName], apiOf(taskName)];
      const right = ("apply" in task && line.rightOfWrites) || line.right;
      return new Scenario({ ...line, right, name, event, family, taskName, task, api });
    }),
  ),
);
