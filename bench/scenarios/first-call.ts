import { store } from "../responses.ts";
import type { ClientModule } from "../clients/client.ts";
import type { Scenario } from "../scenario.ts";
import { stubFetch } from "../stub-fetch.ts";

/** Import, construction and the first calls in a new process: milliseconds. */
export async function prepare(contender: string): Promise<Scenario> {
  await (await stubFetch(undefined)).json(); // the loading of the platform's own modules is not counted
  return { run: (calls) => timed(contender, calls) };
}

async function timed(contender: string, calls: number): Promise<number> {
  const start = performance.now();
  const { open } = (await import(`../clients/${contender}.ts`)) as ClientModule;
  const client = await open({ baseUrl: "https://api.example", fetch: stubFetch });
  for (let call = 0; call < calls; call += 1) {
    const { name } = await client.getStore("S-1");
    if (name !== store.name) throw new Error(`the answer has another name: ${name}`);
  }
  return performance.now() - start;
}
