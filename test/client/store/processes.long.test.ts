import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { respondWith, socketServer } from "../core/socket-server.ts";
import { store, token } from "./stub-client.ts";

it("a walk over many pages holds its memory flat", async () => {
  const entry = fileURLToPath(new URL("../../../src/client/store/index.ts", import.meta.url));
  const script = `
    import { StoreClient } from ${JSON.stringify(entry)};
    let pages = 0;
    const fetch = async () => {
      const items = Array.from({ length: 50 }, (_, at) => ({ externalId: pages + "-" + at, name: "x".repeat(200) }));
      pages += 1;
      return new Response(JSON.stringify({ items, nextCursor: pages < 6000 ? "cursor-" + pages : null }));
    };
    const client = new StoreClient({ baseUrl: "https://store.example", token: "some-token", fetch });
    const heap = () => (gc(), process.memoryUsage().heapUsed);
    let before;
    for await (const page of client.stores.list().pages()) if (pages === 1000) before ??= heap();
    console.log((heap() - before) / 5000);`;
  const flags = ["--expose-gc", "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  // bytes a page: hashes of cursors, and nothing of the 12 kB that a page has
  expect(Number(stdout)).toBeLessThan(300);
});

it("a process ends by itself after a call, long before its deadlines", async () => {
  const { url } = await socketServer(respondWith(200, JSON.stringify(store)));
  const entry = fileURLToPath(new URL("../../../src/client/store/index.ts", import.meta.url));
  const script = `
    import { StoreClient } from ${JSON.stringify(entry)};
    const client = new StoreClient({ baseUrl: ${JSON.stringify(url)}, token: ${JSON.stringify(token)}, totalTimeout: 3_600_000 });
    console.log((await client.stores.get("S")).name);`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    timeout: 300_000,
  });
  expect((await run).stdout).toBe("One\n");
});
