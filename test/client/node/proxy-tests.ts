import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createAuthority } from "./certificates.ts";
import { failureOf, listen, send, textOf, transportFor } from "./exchanges.ts";

const authority = createAuthority();
const local = authority.issue("localhost", { hosts: ["localhost", "127.0.0.1"] });

interface Proxy {
  url: string;
  /** `GET http://…` of plain requests and `CONNECT host:port` of tunnels. */
  seen: string[];
  /** The credentials of each request. */
  credentials: (string | undefined)[];
}

/** A forward proxy. With a password it rejects requests without it. */
async function forwardProxy(password?: string): Promise<Proxy> {
  const seen: string[] = [];
  const credentials: (string | undefined)[] = [];
  const expected = password === undefined ? undefined : `Basic ${btoa(`user:${password}`)}`;
  const admits = (line: string, given: string | undefined): boolean => {
    seen.push(line);
    credentials.push(given);
    return expected === undefined || given === expected;
  };
  const server = createHttpServer((request, response) => {
    const { method = "", url = "", headers } = request;
    const given = headers["proxy-authorization"];
    if (!admits(`${method} ${url}`, given)) return void response.writeHead(407).end("no");
    void fetch(url, { method }).then(async (upstream) => response.end(await upstream.text()));
  });
  server.on("connect", (request, socket: Socket) => {
    const given = request.headers["proxy-authorization"];
    if (!admits(`CONNECT ${request.url}`, given)) return void socket.end("HTTP/1.1 407 No\r\n\r\n");
    const [host, port] = (request.url ?? "").split(":");
    const upstream = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
    socket.on("error", () => upstream.destroy());
    socket.on("close", () => upstream.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, seen, credentials };
}

async function plainServer(): Promise<string> {
  const server = createHttpServer((request, response) => {
    response.end(`plain ${request.url} ${request.headers["proxy-authorization"] ?? ""}`);
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

async function secureServer(): Promise<string> {
  const server = createHttpsServer(local, (request, response) => {
    response.end(`secure ${request.url} ${request.headers["proxy-authorization"] ?? ""}`);
  });
  return `https://127.0.0.1:${await listen(server)}`;
}

const connectOptions = { ca: authority.cert };

export function proxyTests(): void {
  describe("a proxy", () => {
    afterEach(() => {
      vi.unstubAllEnvs();
    });

    test("forwards plain requests and tunnels TLS", async () => {
      const proxy = await forwardProxy();
      const [plain, secure] = [await plainServer(), await secureServer()];
      const transport = transportFor({ proxy: proxy.url, connect: connectOptions });
      expect(await textOf(await send(transport, `${plain}/a?b=1`))).toBe("plain /a?b=1 ");
      expect(await textOf(await send(transport, `${secure}/a?b=1`))).toBe("secure /a?b=1 ");
      expect(proxy.seen).toEqual([`GET ${plain}/a?b=1`, `CONNECT ${new URL(secure).host}`]);
    });

    test("receives the credentials of its URL, which the server does not receive", async () => {
      const proxy = await forwardProxy("pass word");
      const url = new URL(proxy.url);
      [url.username, url.password] = ["user", "pass word"];
      const transport = transportFor({ proxy: url, connect: connectOptions });
      const [plain, secure] = [await plainServer(), await secureServer()];
      expect(await textOf(await send(transport, `${plain}/`))).toBe("plain / ");
      expect(await textOf(await send(transport, `${secure}/`))).toBe("secure / ");
      expect(new Set(proxy.credentials)).toEqual(new Set([`Basic ${btoa("user:pass word")}`]));
    });

    test("is named in the error without its credentials if it rejects them", async () => {
      const proxy = await forwardProxy("right");
      const transport = transportFor({
        proxy: proxy.url.replace("//", "//user:planted-wrong@"),
        connect: connectOptions,
      });
      const errors = [
        await failureOf(send(transport, await plainServer())),
        await failureOf(send(transport, await secureServer())),
      ];
      for (const { message } of errors) {
        expect(message).toMatch(/proxy.*407|407.*proxy/i);
        expect(message).not.toContain("planted");
      }
    });

    test("is named in the error if it is unreachable", async () => {
      const transport = transportFor({ proxy: "http://127.0.0.1:1", connect: connectOptions });
      const error = await failureOf(send(transport, await secureServer()));
      expect(error.message).toContain("connect ECONNREFUSED 127.0.0.1:1");
    });

    test("fails the request if it closes the connection", async () => {
      const server = createHttpServer();
      server.on("connect", (_, socket: Socket) => socket.destroy());
      const transport = transportFor({ proxy: `http://127.0.0.1:${await listen(server)}` });
      const error = await failureOf(send(transport, "https://127.0.0.1:1/"));
      expect(error.message).toMatch(/closed|ECONNRESET/);
    });

    test("is taken from the environment, with its exceptions", async () => {
      const proxy = await forwardProxy();
      const [plain, secure] = [await plainServer(), await secureServer()];
      for (const name of ["http_proxy", "https_proxy", "no_proxy"]) vi.stubEnv(name, undefined);
      vi.stubEnv("HTTP_PROXY", proxy.url);
      vi.stubEnv("HTTPS_PROXY", proxy.url);
      vi.stubEnv("NO_PROXY", "");
      const transport = transportFor({ proxy: "env", connect: connectOptions });
      expect(await textOf(await send(transport, `${plain}/1`))).toBe("plain /1 ");
      expect(await textOf(await send(transport, `${secure}/2`))).toBe("secure /2 ");
      expect(proxy.seen).toEqual([`GET ${plain}/1`, `CONNECT ${new URL(secure).host}`]);
      vi.stubEnv("NO_PROXY", "127.0.0.1");
      const direct = transportFor({ proxy: "env", connect: connectOptions });
      expect(await textOf(await send(direct, `${plain}/3`))).toBe("plain /3 ");
      expect(await textOf(await send(direct, `${secure}/4`))).toBe("secure /4 ");
      expect(proxy.seen).toHaveLength(2);
    });

    test.each(["http://proxy.invalid:3128", "env"])(
      "on another machine is not used for loopback hosts: %s",
      async (proxy) => {
        for (const name of ["http_proxy", "https_proxy", "no_proxy"]) vi.stubEnv(name, undefined);
        for (const name of ["HTTP_PROXY", "HTTPS_PROXY"]) vi.stubEnv(name, "http://proxy.invalid:3128");
        const transport = transportFor({ proxy, connect: connectOptions });
        const plain = await plainServer();
        expect(await textOf(await send(transport, `${plain}/`))).toBe("plain / ");
        expect(await textOf(await send(transport, `${await secureServer()}/`))).toBe("secure / ");
        const error = await failureOf(send(transport, "http://service.invalid/"));
        expect(error.message).toContain("proxy.invalid");
        await transport.close();
        expect((await failureOf(send(transport, plain))).message).toBe("the transport is closed");
      },
    );

    test("is not taken from the environment without the option", async () => {
      const proxy = await forwardProxy();
      vi.stubEnv("HTTP_PROXY", proxy.url);
      vi.stubEnv("http_proxy", proxy.url);
      expect(await textOf(await send(transportFor(), `${await plainServer()}/`))).toBe("plain / ");
      expect(proxy.seen).toEqual([]);
    });
  });
}
