import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { head, type SendFault, write } from "./fault-server.ts";

/** The required outcome of a fault. */
export type Consequence =
  /** The call succeeds as without the fault. */
  | { kind: "harmless" }
  /** The response is lost: the request is repeated if it is safe to repeat. */
  | { kind: "lost"; error: "ConnectionError" | "TimeoutError" }
  /** The server did not process the request: every request is repeated. */
  | { kind: "refused" }
  /** A temporary error status: the request is repeated if it is safe to repeat. */
  | { kind: "failed" }
  /** A permanent error status, or a wait that is too long. */
  | { kind: "final" }
  /** An unexpected response; `harmlessTo` is the operation that accepts it. */
  | { kind: "unexpected"; harmlessTo?: "DELETE" };

export interface FaultRow {
  sendFault: SendFault;
  consequence: Consequence;
  unread?: boolean;
}

const lost: Consequence = { kind: "lost", error: "ConnectionError" };
const late: Consequence = { kind: "lost", error: "TimeoutError" };
const harmless: Consequence = { kind: "harmless" };
const unexpected: Consequence = { kind: "unexpected" };

/** A complete response with another body or head. */
function respondWith(status: number, body: string, headers: Record<string, string> = {}): SendFault {
  return (socket) => write(socket, { status, body }, headers);
}

function failWith(code: number, retryAfter?: string): SendFault {
  return respondWith(code, "{}", retryAfter === undefined ? {} : { "retry-after": retryAfter });
}

/** A head, then a few bytes at a time. */
function drip(socket: Socket, body: string, some: number): void {
  socket.write(head(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }));
  let rest = Buffer.from(body);
  const timer = setInterval(() => {
    if (rest.length === 0 || socket.destroyed) return clearInterval(timer);
    socket.write(rest.subarray(0, some));
    rest = rest.subarray(some);
  }, 5);
}

const pastDate = "Thu, 01 Jan 2015 00:00:00 GMT";
const futureDate = "Fri, 01 Jan 2100 00:00:00 GMT";

/** Every form of `Retry-After`: valid, invalid and too long. */
const waits = {
  none: { value: undefined, delay: "nothing" },
  "0": { value: "0", delay: "now" },
  "past date": { value: pastDate, delay: "now" },
  "RFC 850 date": { value: "Thursday, 01-Jan-15 00:00:00 GMT", delay: "now" },
  word: { value: "soon", delay: "nothing" },
  negative: { value: "-1", delay: "nothing" },
  fraction: { value: "0.5", delay: "nothing" },
  "an hour": { value: "3600", delay: "too long" },
  "far date": { value: futureDate, delay: "too long" },
  "huge number": { value: "9".repeat(400), delay: "too long" },
} as const;

function busyRows(code: 429 | 503): [string, FaultRow][] {
  return Object.entries(waits).map(([name, { value, delay }]) => {
    const refusedOrFailed = code === 429 ? "refused" : "failed";
    const kind = delay === "too long" ? "final" : refusedOrFailed;
    return [`${code}, Retry-After ${name}`, { sendFault: failWith(code, value), consequence: { kind } }];
  });
}

function statusRows(codes: number[], kind: "failed" | "final"): [string, FaultRow][] {
  return codes.map((code) => [`status ${code}`, { sendFault: failWith(code), consequence: { kind } }]);
}

const redirects = [301, 302, 303, 307, 308].map((code): [string, FaultRow] => [
  `${code} to the same origin`,
  { sendFault: respondWith(code, "", { location: "/elsewhere" }), consequence: unexpected },
]);

export const faultRows: Record<string, FaultRow> = {
  "reset before the request is read": { sendFault: () => {}, unread: true, consequence: lost },
  "reset after the request was read": { sendFault: (socket) => socket.resetAndDestroy(), consequence: lost },
  "close without a response": { sendFault: (socket) => socket.end(), consequence: lost },
  "close in the headers": {
    sendFault: (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-le"),
    consequence: lost,
  },
  "bytes that are not HTTP": { sendFault: (socket) => socket.end("hello\r\n\r\n"), consequence: lost },
  "truncated, with length": {
    sendFault: (socket, { body }) => socket.end(head(200, { "content-length": 999 }) + body),
    consequence: lost,
  },
  "truncated, chunked": {
    sendFault: (socket) => socket.end(`${head(200, { "transfer-encoding": "chunked" })}5\r\n{"ite\r\n`),
    consequence: lost,
  },
  "truncated, without length": {
    sendFault: (socket, { body }) => socket.end(head(200, { connection: "close" }) + body.slice(0, -3)),
    consequence: unexpected,
  },
  "malformed JSON": { sendFault: respondWith(200, '{"items":[}'), consequence: unexpected },
  "JSON that is not an object": { sendFault: respondWith(200, "[]"), consequence: unexpected },
  "HTML 200": {
    sendFault: respondWith(200, "<!doctype html><p>hello", { "content-type": "text/html" }),
    consequence: unexpected,
  },
  "empty 200": { sendFault: respondWith(200, ""), consequence: { kind: "unexpected", harmlessTo: "DELETE" } },
  "status 204": {
    sendFault: (socket) => socket.write(head(204, {})),
    consequence: { kind: "unexpected", harmlessTo: "DELETE" },
  },
  BOM: {
    sendFault: (socket, responseParts) =>
      write(socket, { ...responseParts, body: `\ufeff${responseParts.body}` }),
    consequence: harmless,
  },
  "wrong content type": {
    sendFault: (socket, responseParts) => write(socket, responseParts, { "content-type": "text/plain" }),
    consequence: harmless,
  },
  gzip: {
    sendFault: (socket, { body }) => {
      const bytes = gzipSync(body);
      socket.write(head(200, { "content-encoding": "gzip", "content-length": bytes.length }));
      socket.write(bytes);
    },
    consequence: harmless,
  },
  "invalid gzip": {
    sendFault: (socket, responseParts) => write(socket, responseParts, { "content-encoding": "gzip" }),
    consequence: lost,
  },
  "stall before the headers": { sendFault: () => {}, consequence: late },
  "stall in the headers": {
    sendFault: (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-le"),
    consequence: late,
  },
  "stall in the body": {
    sendFault: (socket, { body }) =>
      socket.write(head(200, { "content-length": body.length }) + body.slice(0, 5)),
    consequence: late,
  },
  "stall in the body of an error": {
    sendFault: (socket) => socket.write(`${head(404, { "content-length": 99 })}{`),
    consequence: late,
  },
  "drip that never ends": {
    sendFault: (socket) => drip(socket, `{"a":"${"x".repeat(9999)}"}`, 1),
    consequence: late,
  },
  "slow drip": { sendFault: (socket, { body }) => drip(socket, body, 40), consequence: harmless },
  "102 and 103 first": {
    sendFault: (socket, responseParts) => {
      socket.write("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n");
      write(socket, responseParts);
    },
    consequence: harmless,
  },
  // the request had no `Expect`, so Node's fetch rejects the response
  "100 first": {
    sendFault: (socket, responseParts) => {
      socket.write("HTTP/1.1 100 Continue\r\n\r\n");
      write(socket, responseParts);
    },
    consequence: lost,
  },
  ...Object.fromEntries(redirects),
  ...Object.fromEntries(statusRows([408, 500, 502, 504], "failed")),
  ...Object.fromEntries(statusRows([400, 401, 403, 404, 409, 501], "final")),
  ...Object.fromEntries([...busyRows(429), ...busyRows(503)]),
};
