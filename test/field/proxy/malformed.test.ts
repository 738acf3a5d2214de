import { describe, expect, it } from "vitest";
import { exchange, proxyFor, rawService } from "./upstream.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
const GET = "GET /v1/stores HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

const forwarded: [name: string, response: string, status: string][] = [
  [
    "announces trailers but has a length",
    "HTTP/1.1 200 OK\r\nTrailer: x-sum\r\nContent-Length: 2\r\n\r\n{}",
    "HTTP/1.1 200 OK",
  ],
  ["announces trailers but has no body", "HTTP/1.1 204 Done\r\nTrailer: x-sum\r\n\r\n", "HTTP/1.1 204 Done"],
  [
    "has early hints with a malformed link",
    `HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n${OK}`,
    "HTTP/1.1 200 OK",
  ],
  [
    "has control characters in its reason",
    "HTTP/1.1 200 Fi\x01ne\x7f\r\nContent-Length: 2\r\n\r\n{}",
    "HTTP/1.1 200 Fine",
  ],
  [
    "has no body but the chunks of one",
    "HTTP/1.1 204 Done\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "HTTP/1.1 204 Done",
  ],
  ["has no body but its bytes", "HTTP/1.1 304 Same\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 304 Same"],
];

const refused: [name: string, response: string, reason: string][] = [
  [
    "has the status 99",
    "HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\n{}",
    "the response has an invalid status",
  ],
  [
    "has the status 0",
    "HTTP/1.1 000 Odd\r\nContent-Length: 2\r\n\r\n{}",
    "the response has an invalid status",
  ],
  [
    "switches to another protocol",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    "the service switched to another protocol",
  ],
];

describe("a malformed message does not end the proxy", () => {
  it.each(forwarded)("if the response %s: the rest of it is forwarded", async (_name, response, status) => {
    let next = response;
    const { origin, proxy } = await proxyFor({ storeUrl: await rawService(() => next) });
    const received = await exchange(origin, GET);
    expect(received.split("\r\n", 1)[0]).toBe(status);
    expect(received.toLowerCase()).not.toContain("trailer");
    next = OK;
    expect(await exchange(origin, GET)).toContain("{}");
    expect(proxy.summary().failures).toBe(0);
  });

  it.each(refused)("if the response %s: the client gets 502", async (_name, response, reason) => {
    let next = response;
    const { origin, proxy } = await proxyFor({ storeUrl: await rawService(() => next) });
    const received = await exchange(origin, GET);
    expect(received).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
    expect(received).toContain(reason);
    next = OK;
    expect(await exchange(origin, GET)).toContain("{}");
    expect(proxy.summary().failures).toBe(1);
  });

  it.each([
    ["a PUT with a length", "PUT /v1/stores/a HTTP/1.1\r\nContent-Length: 2\r\n", "{}"],
    ["a GET without a body", "GET /v1/stores HTTP/1.1\r\n", ""],
  ])("if the request announces trailers and is %s", async (_name, head, body) => {
    const { origin } = await proxyFor({ storeUrl: await rawService(() => OK) });
    const others = "Host: localhost\r\nTrailer: x-sum\r\nConnection: close\r\n\r\n";
    expect(await exchange(origin, head + others + body)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it("if an HTTP/1.0 client gets a response with trailers", async () => {
    const chunks = "2\r\n{}\r\n0\r\nx-sum: 2\r\n\r\n";
    const response = `HTTP/1.1 200 OK\r\nTrailer: x-sum\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`;
    const { origin } = await proxyFor({ storeUrl: await rawService(() => response) });
    expect(await exchange(origin, "GET /v1/stores HTTP/1.0\r\n\r\n")).toMatch(/\r\n\r\n\{\}$/);
  });
});
