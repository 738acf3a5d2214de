import type { RequestSummary } from "../mock/control/controlled-server.ts";
import type { Output } from "./output.ts";

/** Writes a line for each request: method, path, status, milliseconds. The line contains no query and no secret. */
export class RequestLog {
  readonly #output: Output;
  readonly #json: boolean;

  constructor(output: Output, json: boolean) {
    this.#output = output;
    this.#json = json;
  }

  add({ method, path, status, fault, milliseconds }: RequestSummary): void {
    const ms = Math.round(milliseconds * 100) / 100;
    if (!this.#json) this.#output.line(`${method} ${path} ${status ?? fault} ${ms} ms`);
    else if (fault === null) this.#output.line(JSON.stringify({ method, path, status, ms }));
    else this.#output.line(JSON.stringify({ method, path, status, fault, ms }));
  }
}
