import { store } from "../responses.ts";
import type { Client, ClientModule } from "../clients/client.ts";
import type { Scenario, ScenarioSetting } from "../scenario.ts";
import { stubFetch } from "../stub-fetch.ts";

/** Calls one after the other: microseconds per call. */
export async function prepare(contender: string, { baseUrl }: ScenarioSetting): Promise<Scenario> {
  const { open } = (await import(`../clients/${contender}.ts`)) as ClientModule;
  const client = await open(
    baseUrl === undefined ? { baseUrl: "https://api.example", fetch: stubFetch } : { baseUrl },
  );
  return { run: (calls) => timed(client, calls) };
}

async function timed(client: Client, calls: number): Promise<number> {
  globalThis.gc?.();
  const start = performance.now();
  for (let call = 0; call < calls; call += 1) {
    const { name } = await client.getStore("S-1");
    if (name !== store.name) throw new Error(`the answer has another name: ${name}`);
  }
  return ((performance.now() - start) * 1000) / calls;
}
