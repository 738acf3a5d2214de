// Hostile peers against the clients over both transports, and against the reference server.
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { nodeTransport } from "../../src/client/node/index.ts";
import { StoreClient } from "../../src/index.ts";
import { serveReference } from "../mock/node/served.ts";
import { keys, tokens } from "../secrets/forms.ts";
import { leakOf, observe } from "../secrets/observe.ts";
import { faultServer } from "./fault-server.ts";
import { page, type Peer, peersWith } from "./peers.ts";
import { startProgram } from "./program.ts";

const [token = ""] = tokens;
const peers = Object.entries(peersWith(token));

async function serve({ send }: Peer): Promise<string> {
  const respond = () => ({ status: 200, body: page });
  return (await faultServer({ respond, applies: () => true, sendFault: send })).origin;
}

describe.each(peers)("a peer that sends %s", (_, peer) => {
  it.each(["fetch", "node"])("has the same result over both transports: %s", async (kind) => {
    const baseUrl = await serve(peer);
    const transport = kind === "node" ? nodeTransport() : undefined;
    const timeout = peer.expected === "TimeoutError" ? 700 : 60_000; // a busy machine takes longer than the first
    let result = "data";
    const seen = await observe(async (options) => {
      const client = new StoreClient({ ...options, baseUrl, token, timeout, retry: 0, transport });
      const [first] = await client.stores.list().take(1);
      expect(first).toMatchObject({ externalId: "a" });
    });
    const errors = seen.filter((one) => one instanceof Error);
    if (errors.length > 0) result = errors[0]?.name.replace("StoreApiError", "ApiError") ?? "";
    expect(result).toBe(peer.expected);
    expect(result === "data" ? "" : leakOf(seen, token)).toBe("");
  });
});

describe("requests to the reference server", () => {
  /** Sends bytes, and returns the status of the response. */
  function send(port: number, text: string, chunk?: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => {
        if (chunk === undefined) return void socket.write(text);
        for (let at = 0; at < text.length; at += chunk) socket.write(text.slice(at, at + chunk));
      });
      let response = "";
      socket.on("data", (bytes) => (response += bytes.toString("latin1")));
      socket.on("error", reject);
      socket.on("close", () => resolve(response.split(" ", 2)[1] ?? ""));
    });
  }

  const body = JSON.stringify({ contacts: [{ name: "A", phone: "1" }] });
  const chunked = `${Array.from(body, (letter) => `1\r\n${letter}\r\n`).join("")}0\r\n\r\n`;
  const nested = `{"contacts":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;

  it.each([
    ["chunks of one byte", `Transfer-Encoding: chunked\r\n\r\n${chunked}`, 1, "200"],
    ["segments of one byte", `Content-Length: ${body.length}\r\n\r\n${body}`, 1, "200"],
    ["a deep body", `Content-Length: ${nested.length}\r\n\r\n${nested}`, undefined, "400"],
    [
      "a chunk extension of 20 kB",
      `Transfer-Encoding: chunked\r\n\r\n1;${"a".repeat(20_000)}\r\n{\r\n`,
      undefined,
      "413",
    ],
  ])("with %s have the same result", async (_, rest, chunk, status) => {
    const { ref, storeUrl } = await serveReference({ store: { stores: 1 } });
    const head = `PUT /v1/stores/S-1/contacts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${ref.token}\r\nContent-Type: application/json\r\n`;
    expect(await send(Number(new URL(storeUrl).port), head + rest, chunk)).toBe(status);
  });
});

it.each([...tokens, ...keys])(
  "the reference server prints %s once when it starts, and never again",
  async (secret) => {
    const flag = keys.includes(secret) ? "--key" : "--token";
    const program = await startProgram(["--json", "--control", "--port", "0", flag, secret]);
    const first = JSON.parse(program.lines[0] ?? "") as Record<string, string>;
    for (const form of [secret, Buffer.from(`user:${secret}`).toString("base64url")])
      for (const target of [
        `/v1/stores/${encodeURIComponent(form)}`,
        `/v1/stores?cursor=${encodeURIComponent(form)}`,
      ])
        await fetch(`${first["storeUrl"]}${target}`, { headers: { authorization: `Bearer ${secret}` } });
    const headers = { authorization: `Bearer ${first["controlToken"]}` };
    const journal = await (await fetch(`${first["controlUrl"]}/journal`, { headers })).text();
    await expect.poll(() => program.lines.length).toBeGreaterThan(4);
    expect(leakOf([program.lines.slice(1).join("\n") + program.errors() + journal], secret)).toBe("");
  },
);
