import { escapeLine } from "../wire/message.ts";
import type { Operation } from "../wire/operation.ts";
import type { Core } from "./core.ts";
import { ApiError, requestIdOf } from "./errors.ts";
import { checkHeaders } from "./headers.ts";
import { notify, reportFailure, writeLog } from "./notify.ts";
import type { LogLevel } from "./log.ts";
import type { Received } from "./response.ts";

/** Tells the hooks and the log of a client what happens to one call. */
export class Observer {
  readonly #core: Core;
  readonly #operation: Operation;
  readonly #call: number;
  readonly #scope = {};
  readonly #began: number;
  /** The last request, and when it was sent. */
  #sent = { url: "", attempt: 0 };
  #sentAt = 0;
  #status: number | undefined;
  #requestId: string | undefined;

  /** @param call its number within the client */
  constructor(core: Core, operation: Operation, call: number) {
    this.#core = core;
    this.#operation = operation;
    this.#call = call;
    this.#began = core.runtime.performance.now();
  }

  /** Reports a request that is sent now. A hook may add to its headers. */
  onRequest(attempt: number, url: string, headers: Record<string, string>): void {
    const { hooks, redactor, runtime } = this.#core;
    this.#sent = { url: redactor.redact(url), attempt };
    this.#requestId = undefined;
    this.#sentAt = runtime.performance.now();
    const offered: Record<string, string> = {};
    notify(hooks, "onRequest", () => this.#event({ ...this.#sent, headers: offered }));
    for (const [name, value] of Object.entries(offered)) {
      try {
        Object.assign(headers, checkHeaders({ [name]: value }));
      } catch (error) {
        reportFailure(hooks, "onRequest", error); // it cannot be sent
      }
    }
  }

  /** Reports the end of the request, with its response or its failure. */
  onResponse(received: Received | undefined, error: unknown, waited: number): void {
    const { hooks, redactor, runtime } = this.#core;
    const status = received?.status;
    const requestId = received && requestIdOf(received.headers, redactor.redact);
    this.#status = status;
    this.#requestId = requestId;
    const duration = runtime.performance.now() - this.#sentAt;
    const event = { ...this.#sent, status, requestId, error, duration, waited };
    notify(hooks, "onResponse", () => this.#event(event));
  }

  onRetry(delay: number, status: number | undefined, error: Error | undefined): void {
    notify(this.#core.hooks, "onRetry", () => this.#event({ ...this.#sent, delay, status, error }));
    const words = status ?? (error && this.#wordsOf(error));
    const next = `the next one follows in ${Math.round(delay)} ms`;
    this.#write("info", `attempt ${this.#sent.attempt}: ${words}; ${next}`);
  }

  /** Reports the end of the call. `isAborted`: a signal of the caller or of the client has ended it. */
  onEnd(attempts: number, error: unknown, isAborted: boolean): void {
    const { hooks, runtime } = this.#core;
    const duration = runtime.performance.now() - this.#began;
    if (attempts > 0) notify(hooks, "onEnd", () => this.#event({ duration, attempts, error }));
    const time = `in ${Math.round(duration)} ms`;
    if (error === undefined) return this.#write("info", `${this.#status} ${time}`);
    const words = error instanceof Error ? this.#wordsOf(error) : "aborted";
    const isExpected = isAborted || (error instanceof ApiError && error.status === 404);
    this.#write(isExpected ? "info" : "error", `${words} ${time}`);
  }

  #event<Rest extends object>(rest: Rest) {
    const { id: operation, method, path: route } = this.#operation;
    const event = { operation, call: this.#call, method, route, ...rest };
    return Object.defineProperty(event, "scope", { value: this.#scope }) as typeof event & { scope: object };
  }

  #write(level: LogLevel, words: string): void {
    const { id, method, path } = this.#operation;
    const request = this.#requestId === undefined ? "" : `, request ID ${this.#requestId}`;
    const line = `shelfleet: ${id} ${method} ${path}: ${words} (call ${this.#call}${request})`;
    writeLog(this.#core.log, level, escapeLine(line));
  }

  /** Returns the message of an error without the request, which the line names already. */
  #wordsOf({ message }: Error): string {
    const { method, path } = this.#operation;
    return this.#core.redactor.redact(message.replace(`${method} ${path}: `, ""));
  }
}
