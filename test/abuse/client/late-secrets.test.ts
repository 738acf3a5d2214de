// Secrets that the client learns late, or that it does not send itself.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { nodeTransport } from "../../../src/client/node/index.ts";
import { type Logger, StoreClient } from "../../../src/index.ts";
import { everything } from "../../faults/planted.ts";
import { rejection } from "./attack.ts";

const baseUrl = "https://stores.example.com";
const token = "late-token-4f9aXy7";

function logInto(lines: unknown[]): Logger {
  const add = (line: string): void => void lines.push(line);
  return { debug: add, info: add, warn: add, error: add };
}

describe("a token that a function returns", () => {
  it("is not shown in the path of `client.fetch`: in errors, hooks and log", async () => {
    const seen: unknown[] = [];
    const keep = (event: object): void => void seen.push(event);
    const client = new StoreClient({
      baseUrl,
      token: () => token,
      retry: 0,
      log: logInto(seen),
      hooks: { onRequest: keep, onResponse: keep, onSettled: keep, onError: keep, onSend: keep },
      fetch: () => Promise.reject(new TypeError("fetch failed")),
    });
    seen.push(await rejection(client.fetch(`${baseUrl}/v1/${token}/x`)));
    seen.push(await rejection(client.withOptions({ timeout: 1, fetch: stall }).fetch(`${baseUrl}/${token}`)));
    expect(seen.length).toBeGreaterThan(8);
    for (const value of seen) expect(everything(value)).not.toContain(token);
  });

  it("is redacted after 66 others, by a new call and by a client with other options", async () => {
    let count = 0;
    const first = `${token}-0`;
    const client = new StoreClient({
      baseUrl,
      token: () => `${token}-${count++}`,
      retry: 0,
      fetch: async () => Response.json({ error: { code: first, message: `x ${first}` } }, { status: 400 }),
    });
    for (let call = 0; call < 70; call += 1) await rejection(client.stores.get("S"));
    for (const other of [client, client.withOptions({ timeout: 5_000 })])
      expect(everything(await rejection(other.stores.get("S")))).not.toContain(first);
  });

  it.each<[string, (text: string) => unknown]>([
    ["a message", (text) => new Error(`the cache has ${text}`)],
    ["a cause", (text) => new Error("no", { cause: new Error(text) })],
    [
      "a property",
      (text) => Object.assign(new Error("no"), { config: { headers: { authorization: text } } }),
    ],
    ["a string", (text) => text],
  ])("is not shown by an error of the function, in %s", async (_, errorWith) => {
    let calls = 0;
    const client = new StoreClient({
      baseUrl,
      token: () => {
        calls += 1;
        if (calls === 1) return token;
        throw errorWith(`Bearer ${token}`);
      },
      retry: 0,
      fetch: async () => Response.json({ storeId: "1" }),
    });
    await client.stores.get("S");
    expect(everything(await rejection(client.stores.get("S")))).not.toContain(token);
  });

  it("leaves an error of the function unchanged that does not show it", async () => {
    const failure = Object.assign(new RangeError("no network"), { config: { retries: 3 } });
    const client = new StoreClient({ baseUrl, token: () => Promise.reject(failure), retry: 0 });
    expect(await rejection(client.stores.get("S"))).toBe(failure);
  });
});

function stall(_: string, { signal }: { signal: AbortSignal }): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

it("the password of an http proxy is not shown by errors, in any form", async () => {
  const server = createServer((request, response) => {
    const given = request.headers["proxy-authorization"] ?? "";
    response.writeHead(400, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ error: { code: "x", message: `${given} ${atob(given.slice(6))} p%40ss` } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const transport = nodeTransport({ proxy: `http://user:p%40ss@127.0.0.1:${port}` });
  onTestFinished(async () => {
    await transport.close();
    server.close();
  });
  const client = new StoreClient({ baseUrl: "http://127.0.0.1:9", token, retry: 0, transport });
  const error = await rejection(client.stores.get("S"));
  expect((error as Error).message).toContain("[redacted]");
  expect(everything(error)).not.toMatch(/p@ss|p%40ss|dXNlcjpwQHNz/);
  expect(everything(transport)).not.toMatch(/p@ss|p%40ss/);
});

it.each([
  ["a number", { loginCode: 483_920 }],
  ["nested JSON", { payload: JSON.stringify({ loginCode: "483920" }) }],
  ["JSON within nested JSON", { a: JSON.stringify({ b: JSON.stringify([{ login_code: 483_920 }]) }) }],
  ["a list", { loginCode: ["483920"] }],
  ["an escaped name", '{"login\\u0043ode":"483920"}'],
  ["JSON that is cut", '{"x":1,"loginCode":483920,'],
])("a login code is not logged as %s", async (_, body) => {
  const lines: unknown[] = [];
  const client = new StoreClient({
    baseUrl,
    token,
    retry: 0,
    log: logInto(lines),
    logLevel: "debug",
    fetch: async () => new Response(typeof body === "string" ? body : JSON.stringify(body)),
  });
  await client.fetch(`${baseUrl}/v1/stores/S`, {
    method: "PUT",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  expect(lines.length).toBe(3);
  expect(lines.join("\n")).not.toContain("483920");
});

it("commands of a service reach no line of the log, and no message of an error", async () => {
  const commands = "\u001b[2J\r\nok\u202e";
  const lines: unknown[] = [];
  const client = new StoreClient({
    baseUrl,
    token,
    retry: 0,
    log: logInto(lines),
    logLevel: "debug",
    fetch: async () =>
      Response.json({ [commands]: 1, error: { code: commands, message: commands } }, { status: 400 }),
  });
  const { message, stack = "" } = (await rejection(client.stores.get("S"))) as Error;
  for (const text of [...lines.map(String), message, stack.split("\n", 1)[0]])
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
