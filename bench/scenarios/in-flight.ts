import { store } from "../responses.ts";
import type { Client, ClientModule } from "../clients/client.ts";
import type { Scenario, ScenarioSetting } from "../scenario.ts";

/** Concurrent calls: microseconds per call, of elapsed time or processor time. */
export async function prepare(contender: string, setting: ScenarioSetting): Promise<Scenario> {
  const { baseUrl = "", inFlight = 1, page = false, processor = false } = setting;
  const { open } = (await import(`../clients/${contender}.ts`)) as ClientModule;
  const client = await open({ baseUrl });
  const call = page ? () => callForPage(client) : () => callForStore(client);
  return {
    async run(calls) {
      globalThis.gc?.();
      const start = processor ? processorTime() : performance.now();
      await callAll(call, calls, inFlight);
      return (((processor ? processorTime() : performance.now()) - start) * 1000) / calls;
    },
  };
}

async function callAll(call: () => Promise<void>, calls: number, inFlight: number): Promise<void> {
  let left = calls;
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
}

async function callForStore(client: Client): Promise<void> {
  const { name } = await client.getStore("S-1");
  if (name !== store.name) throw new Error(`the answer has another name: ${name}`);
}

async function callForPage(client: Client): Promise<void> {
  const count = await client.countPage?.();
  if (count !== 100) throw new Error(`the page has ${count} items`);
}

/** The processor time of all threads of this process, in ms. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
