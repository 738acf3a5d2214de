import { inspect } from "node:util";
import type { ScenarioModule } from "./scenario.ts";

// node scenario-process.ts SCENARIO CONTENDER SETTING: the other side of `Child`. Each contender has its own process, so
// that the engine does not optimize its code for the others.

const [name, contender = "", setting = ""] = process.argv.slice(2);

async function reply(work: () => unknown): Promise<void> {
  try {
    process.send?.({ value: await work() });
  } catch (error) {
    process.send?.({ error: inspect(error) });
  }
}

await reply(async () => {
  const { prepare } = (await import(`./scenarios/${name}.ts`)) as ScenarioModule;
  const scenario = await prepare(contender, JSON.parse(setting) as object);
  process.on("message", (work: number) => void reply(() => scenario.run(work)));
  process.on("disconnect", () => process.exit());
  return scenario.url;
});
