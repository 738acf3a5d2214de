import { namesOf } from "../wire/names.ts";
import type { Rows } from "./row.ts";
import { table } from "./rows/index.ts";
import { Scenario } from "./scenario.ts";
import { apiOf, tasks } from "./tasks/index.ts";

export type { Finding, FindingKind } from "./finding.ts";
export { type Report, tellStory, type Verdict } from "./report.ts";
export type { Family } from "./rows/index.ts";
export {
  Scenario,
  type ScenarioContext,
  ScenarioError,
  type ScenarioOptions,
  type ScenarioProgram,
} from "./scenario.ts";
export type { TaskInput, TaskName } from "./tasks/index.ts";

/**
 * All scenarios.
 *
 * @example
 * for (const scenario of scenarios.filter(({ task }) => task === "copy-stores"))
 *   test(scenario.name, () => scenario.run(({ storeUrl, readToken, deliver }) => copyStores(…)));
 */
export const scenarios: readonly Scenario[] = namesOf(table).flatMap((family) =>
  Object.entries<Rows[string]>(table[family]).flatMap(([event, row]) =>
    row.tasks.map((taskName) => {
      const name = `${taskName}/${event}`;
      return new Scenario({
        ...row,
        name,
        event,
        family,
        taskName,
        task: tasks[taskName],
        api: apiOf(taskName),
      });
    }),
  ),
);
