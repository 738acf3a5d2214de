import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { setupServer as setupServer2 } from "msw2/node";
import { expect, onTestFinished, test } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { serve } from "../../../src/mock/node.ts";
import { rawServer, send, textOf, transportFor } from "./exchanges.ts";

interface MswServer {
  listen(options: object): void;
  close(): void;
}

const versions: [string, (handler: ReturnType<typeof http.all>) => MswServer][] = [
  ["2", setupServer2 as never], // the same interface with other types
  ["3", setupServer],
];

// docs/connections.md documents this, with an alternative
test.each(versions)("msw %s does not intercept the transport's requests", async (_, setup) => {
  const { url } = await rawServer((socket) =>
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nreal"),
  );
  const server = setup(http.all("*", () => HttpResponse.text("mocked")));
  server.listen({ onUnhandledRequest: "bypass", onUnhandledFrame: "bypass" });
  onTestFinished(() => server.close());
  expect(await (await fetch(url)).text()).toBe("mocked");
  expect(await textOf(await send(transportFor(), url))).toBe("real");
});

test("the transport's requests reach a reference server over HTTP", async () => {
  const ref = createReferenceServer();
  const served = await serve(ref);
  onTestFinished(() => served.close());
  const headers = { authorization: `Bearer ${ref.token}`, "content-type": "application/json" };
  const url = `${served.storeUrl}/v1/stores/S-1`;
  const put = await send(transportFor(), url, { method: "PUT", headers, body: '{"name":"Over HTTP"}' });
  expect([put.status, JSON.parse(await textOf(put))]).toMatchObject([200, { name: "Over HTTP" }]);
});
