import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { head, type Misdeed, write } from "./fault-server.ts";

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
  | { kind: "unexpected"; harmlessTo?: "DELETE" }
  /** Reads follow, writes do not. */
  | { kind: "redirect" };

export interface FaultRow {
  misdeed: Misdeed;
  consequence: Consequence;
  unread?: boolean;
}

const lost: Consequence = { kind: "lost", error: "ConnectionError" };
const late: Consequence = { kind: "lost", error: "TimeoutError" };
const harmless: Consequence = { kind: "harmless" };
const unexpected: Consequence = { kind: "unexpected" };

/** A complete response with another body or head. */
function instead(status: number, body: string, headers: Record<string, string> = {}): Misdeed {
  return (socket) => write(socket, { status, body }, headers);
}

function failing(code: number, retryAfter?: string): Misdeed {
  return instead(code, "{}", retryAfter === undefined ? {} : { "retry-after": retryAfter });
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

const past = "Thu, 01 Jan 2015 00:00:00 GMT";
const farOff = "Fri, 01 Jan 2100 00:00:00 GMT";

/** Every form of `Retry-After`: valid, invalid and too long. */
const waits = {
  none: { value: undefined, says: "nothing" },
  "0": { value: "0", says: "now" },
  "past date": { value: past, says: "now" },
  "RFC 850 date": { value: "Thursday, 01-Jan-15 00:00:00 GMT", says: "now" },
  word: { value: "soon", says: "nothing" },
  negative: { value: "-1", says: "nothing" },
  fraction: { value: "0.5", says: "nothing" },
  "an hour": { value: "3600", says: "too long" },
  "far date": { value: farOff, says: "too long" },
  "huge number": { value: "9".repeat(400), says: "too long" },
} as const;

function busyRows(code: 429 | 503): [string, FaultRow][] {
  return Object.entries(waits).map(([name, { value, says }]) => {
    const asked = code === 429 || says === "now" ? "refused" : "failed";
    const kind = says === "too long" ? "final" : asked;
    return [`${code}, Retry-After ${name}`, { misdeed: failing(code, value), consequence: { kind } }];
  });
}

/** Redirects to the place of the response. */
export function redirect(code: number, origin = ""): Misdeed {
  return (socket, answer, { target }) => {
    if (target.includes("led=1")) return write(socket, answer);
    const location = `${origin}${target}${target.includes("?") ? "&" : "?"}led=1`;
    return write(socket, { status: code, body: "" }, { location });
  };
}

function statusRows(codes: number[], kind: "failed" | "final"): [string, FaultRow][] {
  return codes.map((code) => [`status ${code}`, { misdeed: failing(code), consequence: { kind } }]);
}

const redirects = [301, 302, 303, 307, 308].map((code): [string, FaultRow] => [
  `${code} to the same origin`,
  { misdeed: redirect(code), consequence: { kind: "redirect" } },
]);

export const faultRows: Record<string, FaultRow> = {
  "reset before the request is read": { misdeed: () => {}, unread: true, consequence: lost },
  "reset after the request was read": { misdeed: (socket) => socket.resetAndDestroy(), consequence: lost },
  "close without a response": { misdeed: (socket) => socket.end(), consequence: lost },
  "close in the headers": {
    misdeed: (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-le"),
    consequence: lost,
  },
  "bytes that are not HTTP": { misdeed: (socket) => socket.end("hello\r\n\r\n"), consequence: lost },
  "truncated, with length": {
    misdeed: (socket, { body }) => socket.end(head(200, { "content-length": 999 }) + body),
    consequence: lost,
  },
  "truncated, chunked": {
    misdeed: (socket) => socket.end(`${head(200, { "transfer-encoding": "chunked" })}5\r\n{"ite\r\n`),
    consequence: lost,
  },
  "truncated, without length": {
    misdeed: (socket, { body }) => socket.end(head(200, { connection: "close" }) + body.slice(0, -3)),
    consequence: unexpected,
  },
  "malformed JSON": { misdeed: instead(200, '{"items":[}'), consequence: unexpected },
  "JSON that is not an object": { misdeed: instead(200, "[]"), consequence: unexpected },
  "HTML 200": {
    misdeed: instead(200, "<!doctype html><p>hello", { "content-type": "text/html" }),
    consequence: unexpected,
  },
  "empty 200": { misdeed: instead(200, ""), consequence: { kind: "unexpected", harmlessTo: "DELETE" } },
  "status 204": {
    misdeed: (socket) => socket.write(head(204, {})),
    consequence: { kind: "unexpected", harmlessTo: "DELETE" },
  },
  BOM: {
    misdeed: (socket, answer) => write(socket, { ...answer, body: `\ufeff${answer.body}` }),
    consequence: harmless,
  },
  "wrong content type": {
    misdeed: (socket, answer) => write(socket, answer, { "content-type": "text/plain" }),
    consequence: harmless,
  },
  gzip: {
    misdeed: (socket, { body }) => {
      const bytes = gzipSync(body);
      socket.write(head(200, { "content-encoding": "gzip", "content-length": bytes.length }));
      socket.write(bytes);
    },
    consequence: harmless,
  },
  "invalid gzip": {
    misdeed: (socket, answer) => write(socket, answer, { "content-encoding": "gzip" }),
    consequence: lost,
  },
  "stall before the headers": { misdeed: () => {}, consequence: late },
  "stall in the headers": {
    misdeed: (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-le"),
    consequence: late,
  },
  "stall in the body": {
    misdeed: (socket, { body }) =>
      socket.write(head(200, { "content-length": body.length }) + body.slice(0, 5)),
    consequence: late,
  },
  "drip that never ends": {
    misdeed: (socket) => drip(socket, `{"a":"${"x".repeat(9999)}"}`, 1),
    consequence: late,
  },
  "slow drip": { misdeed: (socket, { body }) => drip(socket, body, 40), consequence: harmless },
  "102 and 103 first": {
    misdeed: (socket, answer) => {
      socket.write("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n");
      write(socket, answer);
    },
    consequence: harmless,
  },
  // the request had no `Expect`, so Node's fetch rejects the response
  "100 first": {
    misdeed: (socket, answer) => {
      socket.write("HTTP/1.1 100 Continue\r\n\r\n");
      write(socket, answer);
    },
    consequence: lost,
  },
  ...Object.fromEntries(redirects),
  ...Object.fromEntries(statusRows([408, 500, 502, 504], "failed")),
  ...Object.fromEntries(statusRows([400, 401, 403, 404, 409, 501], "final")),
  ...Object.fromEntries([...busyRows(429), ...busyRows(503)]),
};
