import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { quotes } from "../secrets/forms.ts";
import { head, type SendFault, write } from "./fault-server.ts";

/** The result of a call, over either transport. */
export type Expected = "data" | "ApiError" | "UnexpectedResponseError" | "ConnectionError" | "TimeoutError";

/** A peer that attacks with each of its responses. */
export interface Peer {
  readonly send: SendFault;
  readonly expected: Expected;
}

/** A page that every list of the store API accepts. */
export const page = JSON.stringify({
  items: [{ externalId: "a", storeId: "1", name: "A" }],
  nextCursor: null,
  padding: "x".repeat(2_000),
});

const commands = "\u001b[2J\u001b]0;x\u0007\u202e\u2028\r\n# Done\n<img src=x>";

/** JSON that quotes a secret in every encoding: in names, values, codes and paths. */
function echo(secret: string): string {
  const forms = Object.values(quotes).map((quote) => quote(secret));
  const escaped = Array.from(secret, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join("");
  const named = Object.fromEntries(forms.map((form) => [form, { [form]: form }]));
  const issues = forms.map((form) => ({ path: form, message: form, code: form }));
  const error = { code: `${forms[0]}${commands}`, message: forms.join(" ") + commands, issues };
  return JSON.stringify({ ...named, error, errors: issues, items: named }).replace(
    "{",
    `{"${escaped}":"${escaped}",`,
  );
}

/** Sends a head with the secret in the reason phrase, in names and values of headers, and in the target of a redirect. */
function sendEcho(socket: Socket, status: number, secret: string): void {
  const bytes = Buffer.from(echo(secret));
  const lines = [
    `HTTP/1.1 ${status} ${secret}`,
    `x-${Buffer.from(secret).toString("hex")}: 1`,
    `x-request-id: ${secret}`,
    `content-type: application/json; x=${secret}`,
    `set-cookie: a=${secret}`,
    `location: https://other.invalid/${encodeURIComponent(secret)}?t=${encodeURIComponent(encodeURIComponent(secret))}`,
    `content-length: ${bytes.length}`,
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  socket.write(bytes);
}

function sendForever(socket: Socket, text: string): void {
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer);
    else if (socket.writableLength < 1_000_000) socket.write(text);
  }, 1);
}

const deep = (opening: string, closing: string): string => opening.repeat(20_000) + closing.repeat(20_000);

/** Peers by the name of the attack. `secret` is the token of the requests. */
export function peersWith(secret: string): Readonly<Record<string, Peer>> {
  return {
    "chunks of one byte": {
      send: (socket) => {
        const chunks = Array.from(page, (letter) => `1\r\n${letter}\r\n`).join("");
        socket.write(head(200, { "content-type": "application/json", "transfer-encoding": "chunked" }));
        socket.write(`${chunks}0\r\n\r\n`);
      },
      expected: "data",
    },
    "secrets in an error": { send: (socket) => sendEcho(socket, 400, secret), expected: "ApiError" },
    "secrets in a refusal": { send: (socket) => sendEcho(socket, 403, secret), expected: "ApiError" },
    "secrets in a response": {
      send: (socket) => sendEcho(socket, 200, secret),
      expected: "UnexpectedResponseError",
    },
    "secrets in a redirect": {
      send: (socket) => sendEcho(socket, 300, secret),
      expected: "UnexpectedResponseError",
    },
    "secrets instead of HTTP": {
      send: (socket) => void socket.end(`${secret}\r\n\r\n`),
      expected: "ConnectionError",
    },
    "endless interim responses": {
      send: (socket) => sendForever(socket, "HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n"),
      expected: "TimeoutError",
    },
    "an endless header": {
      send: (socket) => sendForever(socket, `x-a: ${"a".repeat(9_000)}\r\n`),
      expected: "ConnectionError",
    },
    "an array that is nested too deep": {
      send: (socket) => write(socket, { status: 200, body: `{"items":${deep("[", "]")},"nextCursor":null}` }),
      expected: "UnexpectedResponseError",
    },
    "an object that is nested too deep": {
      send: (socket) =>
        write(socket, { status: 400, body: `{"error":${deep('{"a":', "}").replace("{}", "{")}` }),
      expected: "ApiError",
    },
    "Retry-After of a century": {
      send: (socket) => write(socket, { status: 429, body: "{}" }, { "retry-after": 3_155_760_000 }),
      expected: "ApiError",
    },
    "gzip without its trailer": {
      send: (socket) => {
        const bytes = gzipSync(page).subarray(0, -8);
        socket.write(head(200, { "content-encoding": "gzip", "content-length": bytes.length }));
        socket.write(bytes);
      },
      expected: "data",
    },
    "a redirect whose body never comes": {
      send: (socket, _, { target }) => {
        if (target.includes("moved")) return write(socket, { status: 200, body: page });
        socket.write(head(307, { location: "/v1/stores?moved=1", "content-length": 10 }));
      },
      expected: "data",
    },
  };
}
