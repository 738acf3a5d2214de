// Runs in a child process with a limited heap: calls a server that sends too much.
import { StoreClient } from "../../../src/client/store/index.ts";

const [baseUrl = "", limit = ""] = process.argv.slice(2);
const client = new StoreClient({
  baseUrl,
  token: "some-long-token",
  retry: 2,
  ...(limit !== "" && { maxResponseBytes: Number(limit) }),
});

// The peak memory that the kernel reports may be that of the parent process.
const mebibytes = (): number => process.memoryUsage.rss() / 1024 / 1024;

await client.stores.get("small");
const before = mebibytes();
let peak = before;
const sample = (): void => {
  peak = Math.max(peak, mebibytes());
};
const timer = setInterval(sample, 1);
const error: unknown = await client.stores.get("large").catch((reason: unknown) => reason);
const { name, message, attempts } = error as Error & { attempts: number };
sample();
clearInterval(timer);
process.stdout.write(JSON.stringify({ name, message, attempts, grown: peak - before }));
