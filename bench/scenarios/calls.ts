import { type Client, clients } from "../clients.ts";
import { storeFetch, storeNumber } from "../responses.ts";
import { perItem, type Scenario, type Setting, startClock } from "../scenario.ts";

/** µs per call. The first figure contains import and construction. */
export async function prepare(contender: string, setting: Setting): Promise<Scenario> {
  const { baseUrl, inFlight = 1, call = "get" } = setting;
  await (await storeFetch("https://api.example")).json(); // loads the platform's own modules
  const run = calls[call];
  let client: Client | undefined;
  return {
    async run(count) {
      const read = startClock();
      const opened = (client ??= await openClient(contender, baseUrl));
      let remaining = count;
      const callAll = async (): Promise<void> => {
        for (; remaining > 0; await run(opened)) remaining -= 1;
      };
      await Promise.all(Array.from({ length: inFlight }, callAll));
      return perItem(read(), count / 1000);
    },
  };
}

/** Over a stub if there is no server. */
async function openClient(contender: string, baseUrl?: string): Promise<Client> {
  const open = clients[contender];
  if (open === undefined) throw new Error(`there is no client ${contender}`);
  return open(baseUrl === undefined ? { baseUrl: "https://api.example", fetch: storeFetch } : { baseUrl });
}

const { name: expected } = storeNumber(1);

/** Each checks its result. */
const calls: Readonly<Record<NonNullable<Setting["call"]>, (client: Client) => Promise<void>>> = {
  async get(client) {
    const { name } = await client.getStore("S-1");
    if (name !== expected) throw new Error(`the response has another name: ${name}`);
  },
  async page(client) {
    const count = await client.countPage?.();
    if (count !== 100) throw new Error(`the page has ${count} items`);
  },
  async put(client) {
    const { name } = (await client.putStore?.("S-1", expected)) ?? {};
    if (name !== expected) throw new Error(`the response has another name: ${name}`);
  },
};
