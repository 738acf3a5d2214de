import { execFileSync } from "node:child_process";
import { Agent } from "undici";
import { describe, expect, test } from "vitest";
import { ConfigurationError } from "../../../src/client/core/errors/errors.ts";
import { nodeTransport } from "../../../src/client/node/index.ts";
import * as unsupported from "../../../src/client/node/unsupported.ts";

const dispatcher = new Agent();

const wrong: [string, object, string][] = [
  [
    "an unknown option",
    { conections: 1 },
    'unknown option "conections". Did you mean "connections"? Expected one of dispatcher, connections',
  ],
  ["no connections", { connections: 0 }, "connections must be a positive integer"],
  ["half a connection", { connections: 1.5 }, "connections must be a positive integer"],
  ["a proxy without a protocol", { proxy: "planted-proxy:3128" }, 'proxy must be "env" or a URL'],
  ["a SOCKS proxy", { proxy: "socks5://planted-proxy" }, 'proxy must be "env" or a URL with http: or https:'],
  ["http2 as a string", { http2: "yes" }, "http2 must be true or false"],
  ["connect as a string", { connect: "ca" }, "connect must be an object"],
  ["an object that is not a dispatcher", { dispatcher: {} }, "dispatcher must be a dispatcher of undici"],
  [
    "a dispatcher with other options",
    { dispatcher, http2: false },
    "http2 cannot be combined with dispatcher",
  ],
];

/** Runs a separate program that imports the transport. */
function run(program: string): string {
  const entry = JSON.stringify(new URL("../../../src/client/node/index.ts", import.meta.url).href);
  const source = program.replaceAll("ENTRY", entry);
  return execFileSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" }).trim();
}

const request =
  '{ method: "GET", url: "http://127.0.0.1:1/", headers: {}, signal: new AbortController().signal }';

describe("nodeTransport", () => {
  test.each(wrong)("rejects %s", (_, options, message) => {
    const make = (): unknown => nodeTransport(options);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(`nodeTransport: ${message}`);
    expect(make).not.toThrow("planted");
  });

  test("reports that undici is not installed", () => {
    const output = run(`
      import { registerHooks } from "node:module";
      const missing = Object.assign(new Error("Cannot find package 'undici'"), { code: "ERR_MODULE_NOT_FOUND" });
      registerHooks({ resolve(name, context, next) { if (name === "undici") throw missing; return next(name, context); } });
      const { nodeTransport } = await import(ENTRY);
      await nodeTransport()(${request}).catch(({ name, message }) => console.log(name + ": " + message));
    `);
    expect(output).toBe(
      "ConfigurationError: shelfleet/node needs undici 7 or 8, which is not installed: run npm install undici",
    );
  });

  test("loads undici when it is called, not when it is imported", () => {
    const output = run(`
      import { registerHooks } from "node:module";
      registerHooks({ resolve(name, context, next) { if (name === "undici") console.log("loaded"); return next(name, context); } });
      const { nodeTransport } = await import(ENTRY);
      console.log("imported");
      const transport = nodeTransport();
      await new Promise((resolve) => setTimeout(resolve));
      await transport(${request}).catch(({ code }) => console.log(code));
    `);
    expect(output.split("\n")).toEqual(["imported", "loaded", "ECONNREFUSED"]);
  });

  test("lets a process end while its connections are idle", () => {
    const output = run(`
      import { createServer } from "node:http";
      const { nodeTransport } = await import(ENTRY);
      const server = createServer((_, response) => response.end("{}"));
      await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
      server.unref();
      server.on("connection", (socket) => socket.unref());
      const url = "http://127.0.0.1:" + server.address().port;
      const response = await nodeTransport()({ ...${request}, url });
      console.log(Buffer.from((await response.read(9)).bytes).toString());
    `);
    expect(output).toBe("{}");
  });

  test.each(["bun", "deno"])("reports on %s that it requires Node.js", (name) => {
    const output = run(`
      Object.defineProperty(globalThis, "process", { value: { versions: { node: "24.0.0", ${name}: "1.0.0" } } });
      const { nodeTransport } = await import(ENTRY);
      try { nodeTransport() } catch ({ name, message }) { console.log(name + ": " + message) }
    `);
    expect(output).toBe(
      "ConfigurationError: shelfleet/node needs Node.js 22.12 or later; leave out the option transport to use fetch",
    );
  });

  test("reports in browsers and workers that it requires Node.js", () => {
    expect(unsupported.nodeTransport).toThrow(ConfigurationError);
    expect(unsupported.nodeTransport).toThrow("shelfleet/node needs Node.js 22.12 or later");
  });
});
