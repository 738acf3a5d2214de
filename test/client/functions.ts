// Prints the functions of src that a warm call runs through, arrow functions included, and their files, as JSON.
import { Session } from "node:inspector/promises";
import { StoreClient } from "../../src/index.ts";

const items = Array.from({ length: 100 }, (_, index) => ({ protocolId: `P-${index}`, status: "completed" }));

function respond(url: string): object {
  const { pathname, searchParams } = new URL(url);
  if (!pathname.endsWith("/protocols")) return { storeId: "1", externalId: "S-1", name: "Kiosk" };
  if (searchParams.get("cursor") === null) return { externalId: "S-1", items, nextCursor: "c" };
  const others = items.map(({ protocolId }) => ({ protocolId: `${protocolId}-2` }));
  return { externalId: "S-1", items: others, nextCursor: null };
}

const fetch = async (url: string): Promise<Response> => Response.json(respond(url));
const store = new StoreClient({ baseUrl: "https://store.example", token: "token-of-the-test", fetch });
const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

const calls: Record<string, () => Promise<unknown>> = {
  "stores.get": () => store.stores.get("S-1"),
  "stores.upsert": () => store.stores.upsert("S-1", { name: "Kiosk" }),
  "two pages of protocols": () => store.protocols.list("S-1", timeRange).toArray(),
};

const session = new Session();
session.connect();
await session.post("Profiler.enable");
const counts: Record<string, { functions: string[]; files: number }> = {};
for (const [name, call] of Object.entries(calls)) {
  for (let warm = 0; warm < 3; warm += 1) await call();
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await call();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  const functions = result.flatMap(({ url, functions: all }) => {
    const [, file] = /\/src\/(.*)$/.exec(url) ?? [];
    const run = all.filter(({ functionName, ranges: [range] }) => {
      const isModule = functionName === "" && range?.startOffset === 0;
      return file !== undefined && !isModule && (range?.count ?? 0) > 0;
    });
    return run.map(({ functionName }) => `${file} ${functionName || "(arrow)"}`);
  });
  const files = new Set(functions.map((found) => found.split(" ")[0]));
  counts[name] = { functions, files: files.size };
}
process.stdout.write(`${JSON.stringify(counts, undefined, 2)}\n`);
session.disconnect();
