import { type Client, clients } from "../clients.ts";
import { storeFetch, storeNumber } from "../responses.ts";
import type { Scenario, Setting } from "../scenario.ts";

/** µs per call, of elapsed time or of processor time. The first figure contains import and construction. */
export async function prepare(contender: string, setting: Setting): Promise<Scenario> {
  const { baseUrl, inFlight = 1, isPage = false, isProcessorTime = false } = setting;
  await (await storeFetch(undefined)).json(); // loads the platform's own modules
  const call = isPage ? countItems : readName;
  const now = isProcessorTime ? processorTime : (): number => performance.now();
  let client: Client | undefined;
  return {
    async run(calls) {
      globalThis.gc?.();
      const start = now();
      const opened = (client ??= await openClient(contender, baseUrl));
      let remaining = calls;
      const callAll = async (): Promise<void> => {
        for (; remaining > 0; await call(opened)) remaining -= 1;
      };
      await Promise.all(Array.from({ length: inFlight }, callAll));
      return ((now() - start) * 1000) / calls;
    },
  };
}

/** Over a stub if there is no server. */
async function openClient(contender: string, baseUrl?: string): Promise<Client> {
  const open = clients[contender];
  if (open === undefined) throw new Error(`there is no client ${contender}`);
  return open(baseUrl === undefined ? { baseUrl: "https://api.example", fetch: storeFetch } : { baseUrl });
}

async function readName(client: Client): Promise<void> {
  const { name } = await client.getStore("S-1");
  if (name !== storeNumber(1).name) throw new Error(`the response has another name: ${name}`);
}

async function countItems(client: Client): Promise<void> {
  const count = await client.countPage?.();
  if (count !== 100) throw new Error(`the page has ${count} items`);
}

/** Of all threads of this process, in ms. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
