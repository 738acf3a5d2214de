import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { exchange, proxyFor, rawService, requestsTo, service } from "./upstream.ts";

const hidden = "DELETE /v1/stores/a HTTP/1.1\r\nHost: localhost\r\n\r\n";
const end = "Connection: close\r\n\r\n";

describe("a body cannot become a second request", () => {
  it.each(["GET", "DELETE", "OPTIONS", "POST"])(
    "if Connection names the framing headers of a %s",
    async (method) => {
      const { origin, requests } = await requestsTo();
      const framings = [`Content-Length: ${hidden.length}\r\n`, "Transfer-Encoding: chunked\r\n"];
      for (const framing of framings) {
        const body = framing.startsWith("C")
          ? hidden
          : `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
        const lists = "Connection: close, Content-Length\r\nConnection: transfer-encoding , HOST\r\n";
        await exchange(
          origin,
          `${method} /v1/stores HTTP/1.1\r\nHost: localhost\r\n${framing}${lists}\r\n${body}`,
        );
      }
      expect(requests).toEqual([
        [method, hidden],
        [method, hidden],
      ]);
    },
  );

  it("if its length is behind a thousand other header fields", async () => {
    const { origin, requests } = await requestsTo();
    const head = `POST /v1/stores HTTP/1.1\r\nHost: localhost\r\n${"A: b\r\n".repeat(1_100)}`;
    await exchange(origin, `${head}Content-Length: ${hidden.length}\r\n${end}${hidden}`);
    expect(requests).toEqual([["POST", hidden]]);
  });

  it.each([
    ["an unknown coding", "Transfer-Encoding: gzip, chunked\r\n", "1.1"],
    ["a coding that is listed twice", "Transfer-Encoding: chunked, chunked\r\n", "1.1"],
    ["a coding and a length", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "1.1"],
    ["two lengths", "Content-Length: 5\r\nContent-Length: 0\r\n", "1.1"],
    ["a list of lengths", "Content-Length: 5, 5\r\n", "1.1"],
    ["a signed length", "Content-Length: +5\r\n", "1.1"],
    ["no final chunk", "Transfer-Encoding: identity\r\n", "1.1"],
    ["chunks in HTTP/1.0", "Transfer-Encoding: chunked\r\n", "1.0"],
  ])("a request with %s gets 400", async (_name, framing, version) => {
    const { origin, requests } = await requestsTo();
    const head = `POST /v1/stores HTTP/${version}\r\nHost: localhost\r\n${framing}`;
    const response = await exchange(origin, `${head}${end}0\r\n\r\n${hidden}`);
    expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(requests).toEqual([]);
  });

  it("if a trailer contains header fields", async () => {
    const { origin, trailers } = await requestsTo();
    const fields = [
      "X-Sum: 1",
      "Host: other",
      "Authorization: Bearer x",
      "X-Api-Key: x",
      "Content-Encoding: gzip",
      "X-Forwarded-For: 192.0.2.1",
      "",
    ].join("\r\n");
    const head =
      "POST /v1/stores HTTP/1.1\r\nHost: localhost\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n";
    await exchange(origin, `${head}${end}2\r\n{}\r\n0\r\n${fields}\r\n`);
    expect(trailers).toEqual(["X-Sum", "1"]);
  });

  it("the length of a response survives a thousand other header fields", async () => {
    const head = `HTTP/1.1 200 OK\r\n${"A: b\r\n".repeat(1_100)}`;
    const { origin } = await proxyFor({
      storeUrl: await rawService(() => `${head}Content-Length: 2\r\n\r\n{}`),
    });
    const received = await exchange(origin, `GET /v1/stores HTTP/1.1\r\nHost: localhost\r\n${end}`);
    expect(received).toMatch(/\r\ncontent-length: 2\r\n/i);
  });

  it("the length of a response survives a Connection header of the service", async () => {
    const response = "HTTP/1.1 200 OK\r\nConnection: close, Content-Length\r\nContent-Length: 2\r\n\r\n{}";
    const { origin } = await proxyFor({ storeUrl: await rawService(() => response) });
    const received = await exchange(origin, `GET /v1/stores HTTP/1.1\r\nHost: localhost\r\n${end}`);
    expect(received).toMatch(/\r\ncontent-length: 2\r\n/i);
  });
});

it("a request whose response comes before its end is read to its end", async () => {
  const storeUrl = await service((_, response) => response.end("{}"));
  const { origin } = await proxyFor({ storeUrl });
  const size = 20_000_000;
  const socket = connect(Number(new URL(origin).port), "127.0.0.1").pause();
  socket.write(`PUT /v1/stores/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${size}\r\n\r\n`);
  await new Promise((resolve) => socket.write(Buffer.alloc(size), resolve));
  socket.resume();
  const [received] = (await once(socket, "data")) as [Buffer]; // a socket without an encoding
  expect(String(received)).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
});

describe("two requests that are sent at once", () => {
  it("end with the connection if the second response is cut short before the first one begins", async () => {
    const storeUrl = await service(({ url, socket }) => {
      if (url === "/v1/a") return;
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut", () => socket.destroy());
    });
    const { origin } = await proxyFor({ storeUrl });
    const [first, second] = ["a", "b"].map((id) => `GET /v1/${id} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await expect(exchange(origin, `${first}${second}`)).rejects.toThrow("ECONNRESET");
  });
});

describe("a slow peer", () => {
  it("that does not end the head of its request is disconnected", async () => {
    const { origin } = await proxyFor({
      storeUrl: "http://localhost:1",
      timeLimits: { headersTimeout: 50, connectionsCheckingInterval: 20 },
    });
    expect(await exchange(origin, "GET /v1/stores HTTP/1.1\r\nHost: localhost\r\nX-A: ")).toMatch(
      /^HTTP\/1\.1 408 /,
    );
  });

  it("that does not read early hints does not fill the memory", async () => {
    const hint = `HTTP/1.1 103 Early Hints\r\nLink: </${"a".repeat(30_000)}>; rel=preload\r\n\r\n`;
    const hints = hint.repeat(1_000);
    let reportSent = (): void => {};
    const sent = new Promise<void>((resolve) => (reportSent = resolve));
    const storeUrl = await service(({ socket }) => {
      socket.end(`${hints}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}`, () => reportSent());
    });
    const { origin } = await proxyFor({ storeUrl });
    const socket = connect(Number(new URL(origin).port), "127.0.0.1");
    let size = 0;
    socket.on("data", (bytes: Buffer) => (size += bytes.length));
    socket.pause();
    socket.write(`GET /v1/stores HTTP/1.1\r\nHost: localhost\r\n${end}`);
    await sent;
    socket.resume();
    await once(socket, "close");
    expect(size).toBeLessThan(hints.length / 2);
  });
});
