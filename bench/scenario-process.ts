import { serveRequests, giveUp } from "./child-side.ts";
import type { ScenarioModule, ScenarioSetting } from "./scenario.ts";

// node scenario-process.ts SCENARIO CONTENDER SETTING: each contender has its own process, so that the engine does not
// optimize its code for the others.

const [scenario, contender, setting] = process.argv.slice(2);

try {
  const { prepare } = (await import(`./scenarios/${scenario}.ts`)) as ScenarioModule;
  const prepared = await prepare(contender ?? "", JSON.parse(setting ?? "{}") as ScenarioSetting);
  serveRequests(undefined, (work) => prepared.run(work as number));
} catch (error) {
  giveUp(error);
}
