const source = (path: string): string => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);

const start = `
  import { createServer } from "node:http";
  import { FleetClient, StoreClient } from ${source("index.ts")};
  const listen = (handler) => new Promise((resolve) => {
    const server = createServer(handler).listen(0, "127.0.0.1", () => resolve(server));
    server.unref();
    server.on("connection", (socket) => socket.unref());
  });
  const clientOf = (server, options) => new StoreClient({
    baseUrl: "http://127.0.0.1:" + server.address().port, token: "some-token", timeout: 3_600_000, ...options,
  });
  const page = (cursor) => JSON.stringify({ items: [{ externalId: cursor }], nextCursor: cursor });
  const silent = () => {};
`;

/** Programs that use the package and then have nothing left to do. They print \`done\`. */
export const scripts: Readonly<Record<string, string>> = {
  "making clients": `${start}
    new StoreClient({ baseUrl: "https://x.example", token: "t" });
    new FleetClient({ baseUrl: "https://x.example/api/third-party/v1", key: "a_" + "0".repeat(64) });
    console.log("done");`,
  "a call": `${start}
    const server = await listen((_, response) => response.end('{"storeId":"1"}'));
    await clientOf(server, { totalTimeout: 3_600_000 }).stores.get("S");
    console.log("done");`,
  "leaving a walk that fetched ahead": `${start}
    let count = 0;
    const server = await listen((_, response) => void (count++ === 0 && response.end(page("c" + count))));
    for await (const _ of clientOf(server).stores.list().pages({ prefetch: 3 })) break;
    console.log("done");`,
  "a call that was aborted": `${start}
    const server = await listen(silent);
    const signal = AbortSignal.timeout(100);
    await clientOf(server).stores.get("S", { signal }).catch(silent);
    console.log("done");`,
  "a wait for a retry that was aborted": `${start}
    const server = await listen((_, response) => response.writeHead(503, { "retry-after": "3500" }).end("{}"));
    const options = { retry: { limit: 3, maxDelay: 3_600_000 } };
    const controller = new AbortController();
    const call = clientOf(server, options).stores.get("S", { signal: controller.signal }).catch(silent);
    setTimeout(() => controller.abort(), 300);
    await call;
    console.log("done");`,
  "a call that took too long": `${start}
    const server = await listen(silent);
    await clientOf(server, { timeout: 100, retry: 0 }).stores.get("S").catch(silent);
    console.log("done");`,
  "a refused connection": `${start}
    const options = { baseUrl: "http://127.0.0.1:9", token: "t", retry: { limit: 2, maxDelay: 1 } };
    await new StoreClient(options).stores.get("S").catch(silent);
    console.log("done");`,
  "a reference server": `${start}
    const { createReferenceServer } = await import(${source("mock/index.ts")});
    const ref = createReferenceServer();
    ref.on("getStore").fault("stall");
    const options = { baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch, timeout: 50, retry: 0 };
    await new StoreClient(options).stores.get("S-1").catch(silent);
    console.log("done");`,
  "a served reference server that was closed": `${start}
    const { createReferenceServer } = await import(${source("mock/index.ts")});
    const { serve } = await import(${source("mock/node.ts")});
    const ref = createReferenceServer();
    const served = await serve(ref);
    await new StoreClient({ baseUrl: served.storeUrl, token: ref.token }).stores.list().toArray();
    await served.close();
    console.log("done");`,
};
