import type * as Undici from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { failureOf, rawServer, send, textOf, transportFor } from "./exchanges.ts";

export function dispatcherTests(undici: typeof Undici): void {
  const { Agent, EnvHttpProxyAgent, MockAgent, Pool, RetryAgent } = undici;

  describe("a dispatcher of the caller", () => {
    test("sends the requests and is not closed", async () => {
      const { url, sockets } = await rawServer((socket) =>
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"),
      );
      const agent = new Agent({ connections: 1 });
      onTestFinished(() => agent.close());
      for (const dispatcher of [agent, agent]) {
        const transport = transportFor({ dispatcher });
        expect(await textOf(await send(transport, url))).toBe("{}");
        await transport.close();
      }
      expect(sockets).toHaveLength(1);
      for (const dispatcher of [new Pool(url), new EnvHttpProxyAgent({ noProxy: "*" })]) {
        expect(await textOf(await send(transportFor({ dispatcher }), url))).toBe("{}");
        await dispatcher.close();
      }
    });

    test("may be a MockAgent", async () => {
      const agent = new MockAgent();
      agent.disableNetConnect();
      onTestFinished(() => agent.close());
      agent
        .get("https://stores.example")
        .intercept({ path: "/v1/stores?limit=1", headers: { authorization: "Bearer planted-token" } })
        .reply(200, { items: [] }, { headers: { "x-request-id": "7" } });
      const transport = transportFor({ dispatcher: agent });
      const url = "https://stores.example/v1/stores?limit=1";
      const headers = { authorization: "Bearer planted-token" };
      const response = await send(transport, url, { headers });
      expect([await textOf(response), response.headers.get("x-request-id")]).toEqual(['{"items":[]}', "7"]);
      const error = await failureOf(send(transport, url, { headers }));
      expect(error.message).toBe(
        "no interceptor of the MockAgent matches this request (UND_MOCK_ERR_MOCK_NOT_MATCHED)",
      );
    });

    test("may not be a RetryAgent", () => {
      const dispatcher = new RetryAgent(new Agent());
      expect(() => transportFor({ dispatcher })).toThrow(
        "dispatcher must not be a RetryAgent, which would repeat requests",
      );
    });
  });
}
