// Runs in a process of its own, with a ceiling on its heap: calls a server that sends too much.
import { StoreClient } from "../../../src/store/index.ts";

const [baseUrl = "", limit = ""] = process.argv.slice(2);
const client = new StoreClient({
  baseUrl,
  token: "some-long-token",
  retry: 2,
  ...(limit !== "" && { maxResponseBytes: Number(limit) }),
});

const megabytes = (): number => process.resourceUsage().maxRSS / 1024;

await client.stores.get("small");
const before = megabytes();
const error: unknown = await client.stores.get("large").catch((reason: unknown) => reason);
const { name, message, attempts } = error as Error & { attempts: number };
process.stdout.write(JSON.stringify({ name, message, attempts, grown: megabytes() - before }));
