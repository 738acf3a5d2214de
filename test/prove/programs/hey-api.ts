import { type Client, runWithClient } from "./http-job.ts";
import { type Job, clientsFolder } from "./job.ts";

type Sdk = Readonly<Record<string, (options: object) => Promise<{ data: unknown }>>>;

interface GeneratedClient {
  createClient(config: object): unknown;
}

/** Does a task with the client that hey-api generates. It has no retries; the time limit is in its `fetch`. */
export function runHeyApi(job: Job): Promise<void> {
  return runWithClient(
    job,
    async ({ task, storeUrl, fleetUrl, readToken, readKey, fetch }): Promise<Client> => {
      const isStore = task.api === "store";
      const folder = `${clientsFolder()}/hey-api/built/${task.api}/`;
      const sdk = (await import(`${folder}index.js`)) as Sdk;
      const { createClient } = (await import(`${folder}client/index.js`)) as GeneratedClient;
      const client = createClient({
        baseUrl: isStore ? storeUrl : fleetUrl,
        auth: isStore ? readToken : readKey,
        fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(1500) }),
      });
      return {
        async call(operation, input) {
          const method = sdk[operation] as Sdk[string]; // the job names existing operations
          const { data } = await method({ ...input, client, throwOnError: true });
          return data;
        },
      };
    },
  );
}
