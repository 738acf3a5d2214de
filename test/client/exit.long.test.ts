import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const source = (path: string): string => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);

/** Its time limits are an hour: a timer or a connection that is left keeps it running. */
const program = `
  import { createServer } from "node:http";
  import { StoreClient } from ${source("index.ts")};
  import { createReferenceServer } from ${source("mock/index.ts")};
  import { serve } from ${source("mock/node.ts")};
  const open = async (listener, options) => {
    const server = await new Promise((resolve) => {
      const server = createServer(listener).listen(0, "127.0.0.1", () => resolve(server));
      server.unref();
      server.on("connection", (socket) => socket.unref());
    });
    const baseUrl = "http://127.0.0.1:" + server.address().port;
    return new StoreClient({ baseUrl, token: "some-token", timeout: 3_600_000, totalTimeout: 3_600_000, ...options });
  };
  const never = () => {};
  const ignore = (error) => console.log(error.name);
  const get = (client, options) => client.stores.get("S", options).then(({ storeId }) => console.log(storeId), ignore);

  await get(await open((_, response) => response.end('{"storeId":"1"}')));
  await get(await open(never), { signal: AbortSignal.timeout(100) });
  await get(await open(never, { timeout: 100, retry: 0 }));
  const busy = (_, response) => response.writeHead(503, { "retry-after": "3500" }).end("{}");
  const patient = { retry: { limit: 3, maxDelay: 3_600_000 } };
  await get(await open(busy, patient), { signal: AbortSignal.timeout(500) });
  let count = 0;
  const page = '{"items":[{"externalId":"a"}],"nextCursor":"a"}';
  const store = await open((_, response) => void (count++ === 0 && response.end(page)));
  for await (const { items } of store.stores.list().pages({ prefetch: 3 })) {
    console.log(items.length);
    break;
  }
  const ref = createReferenceServer();
  ref.on("getStore").fault("stall");
  await get(new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch, timeout: 50, retry: 0 }));
  await (await serve(ref)).close();
`;

it("a program ends by itself after calls, aborts, time limits, waits, a walk that was left, and a served mock", async () => {
  const flags = ["--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 500_000 });
  expect(stdout.trim().split("\n")).toEqual([
    "1",
    "TimeoutError",
    "TimeoutError",
    "TimeoutError",
    "1",
    "TimeoutError",
  ]);
});
