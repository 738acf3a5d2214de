import { createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { createServer, type ServerOptions } from "node:https";
import type { TLSSocket } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { createAuthority, createSelfSigned } from "./certificates.ts";
import { failureOf, listen, send, textOf, transportFor } from "./exchanges.ts";

const authority = createAuthority();
const local = authority.issue("localhost", { hosts: ["localhost", "127.0.0.1"] });
const ca = authority.cert;

/** A server over TLS that responds with what it knows about its client. */
async function tlsServer(options: ServerOptions = local): Promise<string> {
  const server = createServer(options, (request, response) => {
    const peer = (request.socket as TLSSocket).getPeerCertificate(); // it is a server over TLS
    response.end(JSON.stringify({ client: peer.subject?.CN ?? null }));
  });
  return `https://127.0.0.1:${await listen(server)}/`;
}

export function tlsTests(isVersion8: boolean): void {
  describe("the transport over TLS", () => {
    test("trusts the certificate authority of the option", async () => {
      const transport = transportFor({ connect: { ca } });
      expect(await textOf(await send(transport, await tlsServer()))).toBe('{"client":null}');
    });

    const rejected: [string, () => ServerOptions, string, RegExp][] = [
      [
        "a certificate of an unknown authority",
        () => ({ ...local, cert: local.cert + ca }),
        "SELF_SIGNED_CERT_IN_CHAIN",
        /self-signed certificate in certificate chain.*: pass the certificate authority/,
      ],
      [
        "a certificate whose authority is not sent",
        () => local,
        "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
        /unable to verify the first certificate/,
      ],
      [
        "a self-signed certificate",
        () => createSelfSigned("localhost", { hosts: ["127.0.0.1"] }),
        "DEPTH_ZERO_SELF_SIGNED_CERT",
        /^self-signed certificate/,
      ],
    ];
    test.each(rejected)("reports %s", async (_, options, code, message) => {
      const error = await failureOf(send(transportFor(), await tlsServer(options())));
      expect(error.message).toMatch(message);
      expect(error.code).toBe(code);
    });

    test("reports a certificate for another host", async () => {
      const other = authority.issue("other.example", { hosts: ["other.example"] });
      const error = await failureOf(send(transportFor({ connect: { ca } }), await tlsServer(other)));
      expect(error.code).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
      expect(error.message).toMatch(
        /Hostname\/IP does not match certificate's altnames: IP: 127\.0\.0\.1 is not/,
      );
      expect(Object.keys(error)).toEqual(["code"]);
    });

    test("uses the server name of the option", async () => {
      const other = authority.issue("other.example", { hosts: ["other.example"] });
      const transport = transportFor({ connect: { ca, servername: "other.example" } });
      expect((await send(transport, await tlsServer(other))).status).toBe(200);
    });

    test("reports an expired certificate", async () => {
      const expired = authority.issue("localhost", { hosts: ["127.0.0.1"], until: new Date("2026-01-01") });
      const error = await failureOf(send(transportFor({ connect: { ca } }), await tlsServer(expired)));
      expect([error.message, error.code]).toEqual([
        "certificate has expired (CERT_HAS_EXPIRED)",
        "CERT_HAS_EXPIRED",
      ]);
    });

    test("sends a client certificate, and reports that the server requires one", async () => {
      const url = await tlsServer({ ...local, ca, requestCert: true, rejectUnauthorized: true });
      const { cert, key } = authority.issue("client 7");
      const known = transportFor({ connect: { ca, cert, key } });
      expect(await textOf(await send(known, url))).toBe('{"client":"client 7"}');
      const error = await failureOf(send(transportFor({ connect: { ca } }), url));
      expect(error.message).toMatch(/certificate required|other side closed|ECONNRESET/);
    });

    test("reports a server that does not use TLS", async () => {
      const url = await tlsServer();
      const error = await failureOf(send(transportFor(), url.replace("https:", "http:")));
      expect(error.message).not.toBe("");
    });
  });

  describe("HTTP/2", () => {
    /** A server for both versions that responds with the version of the request. */
    async function bothVersions(): Promise<{ url: string; sessions: ServerHttp2Session[] }> {
      const sessions: ServerHttp2Session[] = [];
      const server = createSecureServer({ ...local, allowHTTP1: true }, (request, response) => {
        if (request.url === "/stall") return void response.writeHead(200).write("{");
        response.setHeader("set-cookie", ["a=1", "b=2"]);
        response.end(JSON.stringify({ version: request.httpVersion, method: request.method }));
      });
      server.on("session", (session) => sessions.push(session));
      const url = `https://127.0.0.1:${await listen(server)}/`;
      onTestFinished(() => {
        for (const session of sessions) session.destroy();
      });
      return { url, sessions };
    }

    test("is used if the option allows it", async () => {
      const { url, sessions } = await bothVersions();
      const plain = await send(transportFor({ connect: { ca } }), url);
      expect(await textOf(plain)).toBe('{"version":"1.1","method":"GET"}');
      const transport = transportFor({ connect: { ca }, http2: true, connections: 1 });
      const first = await send(transport, url, { method: "POST", body: "{}" });
      expect(await textOf(first)).toBe('{"version":"2.0","method":"POST"}');
      expect(first.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
      const more = Array.from({ length: 5 }, async () => textOf(await send(transport, url)));
      expect(new Set(await Promise.all(more))).toEqual(new Set(['{"version":"2.0","method":"GET"}']));
      expect(sessions).toHaveLength(1);
    });

    test("resets the stream on an abort, and keeps the connection", async () => {
      const { url, sessions } = await bothVersions();
      const transport = transportFor({ connect: { ca }, http2: true, connections: 1 });
      const controller = new AbortController();
      const response = await send(transport, `${url}stall`, { signal: controller.signal });
      const reading = response.read(100);
      controller.abort(new Error("enough"));
      expect((await failureOf(reading)).message).toBe("enough");
      expect(await textOf(await send(transport, url))).toContain("2.0");
      expect(sessions).toHaveLength(1);
    });

    const cuts: [string, (stream: ServerHttp2Stream) => void][] = [
      ["its stream is reset", (stream) => stream.destroy(new Error("planned"))],
      ["its connection is cut", (stream) => stream.session?.socket.destroy()],
      ["its connection goes away", (stream) => stream.session?.goaway(2)],
    ];
    test.each(cuts)("rejects the read of a body if %s", async (_, cut) => {
      const server = createSecureServer(local);
      server.on("sessionError", () => {});
      server.on("stream", (stream) => {
        stream.on("error", () => {});
        stream.respond({ ":status": 200 });
        stream.write("{");
        setTimeout(() => cut(stream), 5);
      });
      const url = `https://127.0.0.1:${await listen(server)}/`;
      const response = await send(transportFor({ connect: { ca }, http2: true }), url);
      expect((await failureOf(response.read(100))).message).not.toBe("");
    });

    test("repeats only requests that the server has refused to process", async () => {
      const seen: string[] = [];
      const server = createSecureServer(local);
      server.on("stream", (stream, headers) => {
        stream.on("error", () => {});
        seen.push(String(headers[":method"]));
        if (seen.length === 1) return stream.close(7); // REFUSED_STREAM
        stream.respond({ ":status": 200 });
        stream.end("{}");
      });
      const url = `https://127.0.0.1:${await listen(server)}/`;
      const transport = transportFor({ connect: { ca }, http2: true });
      const outcome = await send(transport, url, { method: "POST", body: "{}" }).then(textOf, () => "failed");
      // undici 8 repeats rejected requests, undici 7 does not
      expect([outcome, seen.length]).toEqual(isVersion8 ? ["{}", 2] : ["failed", 1]);
    });
  });
}
