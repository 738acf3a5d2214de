import type { IncomingMessage } from "node:http";
import type { ReferenceServer } from "../mock/index.ts";
import type { Outcome } from "../mock/adapters/node/http-server.ts";
import { type KnownSecret, knownSecrets, redacted, secretsOf } from "../mock/kernel/redaction.ts";
import type { Output } from "./output.ts";

/** A line for each request: method, path, status, milliseconds. Never a query, never a secret. */
export class RequestLog {
  readonly #output: Output;
  readonly #json: boolean;
  readonly #secrets: readonly KnownSecret[];

  constructor(output: Output, json: boolean, { token, keys }: ReferenceServer) {
    this.#output = output;
    this.#json = json;
    this.#secrets = knownSecrets([token, ...keys.map(({ key }) => key)]);
  }

  add({ request, status, fault, milliseconds }: Outcome): void {
    const method = request.method ?? "";
    const path = this.#pathOf(request);
    const ms = Math.round(milliseconds * 100) / 100;
    if (!this.#json) this.#output.line(`${method} ${path} ${status ?? fault?.kind} ${ms} ms`);
    else if (fault === null) this.#output.line(JSON.stringify({ method, path, status, ms }));
    else this.#output.line(JSON.stringify({ method, path, status, fault: fault.kind, ms }));
  }

  #pathOf({ url = "", headers }: IncomingMessage): string {
    const mark = url.indexOf("?");
    const path = mark === -1 ? url : url.slice(0, mark);
    return visible(redacted(path, secretsOf(this.#secrets, headers.authorization)));
  }
}

/** Without what a terminal might take for a command. */
function visible(text: string): string {
  return /^[\x21-\x7e]*$/.test(text) ? text : text.replace(/[^\x21-\x7e]/g, "?");
}
