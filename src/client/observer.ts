import { escapeLine } from "../wire/message.ts";
import type { Core } from "./core.ts";
import { ApiError, requestIdOf } from "./errors.ts";
import { checkHeaders } from "./headers.ts";
import { notify, reportFailure, writeLog } from "./hooks.ts";
import { describeBody } from "./log.ts";
import { decode } from "./read.ts";
import type { CallRequest } from "./request.ts";
import type { Received } from "./response.ts";

/** Tells the hooks and the log of a client what happens to one call. */
export interface Observer {
  /** Reports a request that is sent now. A hook may add to its headers. */
  onRequest(attempt: number, url: string, headers: Record<string, string>): void;
  /** Reports the end of the request, with its response or its failure. */
  onResponse(received: Received | undefined, error: unknown, waited: number): void;
  onRetry(delay: number, status: number | undefined, error: Error | undefined): void;
  /** Reports the end of the call. `isAborted`: a signal of the caller or of the client has ended it. */
  onEnd(attempts: number, error: unknown, isAborted: boolean): void;
}

/** Creates the observer of a call. */
export function observe(core: Core, request: CallRequest, call: number): Observer {
  const { hooks, log, runtime } = core;
  const { redact } = core.redactor;
  const { id: operation, method, path: route } = request.operation;
  const scope = {};
  const began = runtime.performance.now();
  let sent = { url: "", attempt: 0 };
  let sentAt = began;
  let status: number | undefined;
  let requestId: string | undefined;
  const event = <Rest extends object>(rest: Rest) => {
    const created = { operation, call, method, route, ...rest };
    return Object.defineProperty(created, "scope", { value: scope }) as typeof created & { scope: object };
  };
  const write = (level: "debug" | "info" | "error", words: string): void => {
    const id = requestId === undefined ? "" : `, request ID ${requestId}`;
    writeLog(
      log,
      level,
      escapeLine(`shelfleet: ${operation} ${method} ${route}: ${words} (call ${call}${id})`),
    );
  };
  // the line names the request already
  const wordsOf = ({ message }: Error): string => redact(message.replace(`${method} ${route}: `, ""));
  const writeBody = (what: string, text: string | undefined): void => {
    if (log?.level === "debug" && text) write("debug", `${what} body ${describeBody(text, redact)}`);
  };
  return {
    onRequest(attempt, url, headers) {
      sent = { url: redact(url), attempt };
      requestId = undefined;
      sentAt = runtime.performance.now();
      writeBody("request", request.body);
      const offered: Record<string, string> = {};
      notify(hooks, "onRequest", () => event({ ...sent, headers: offered }));
      addHeaders(headers, offered, (error) => reportFailure(hooks, "onRequest", error));
    },
    onResponse(received, error, waited) {
      [status, requestId] = [received?.status, received && requestIdOf(received.headers, redact)];
      const duration = runtime.performance.now() - sentAt;
      notify(hooks, "onResponse", () => event({ ...sent, status, requestId, error, duration, waited }));
      writeBody("response", received && decode(received.body));
    },
    onRetry(delay, retried, error) {
      notify(hooks, "onRetry", () => event({ ...sent, delay, status: retried, error }));
      const words = retried ?? (error && wordsOf(error));
      write("info", `attempt ${sent.attempt}: ${words}; the next one follows in ${Math.round(delay)} ms`);
    },
    onEnd(attempts, error, isAborted) {
      const duration = runtime.performance.now() - began;
      if (attempts > 0) notify(hooks, "onEnd", () => event({ duration, attempts, error }));
      const time = `in ${Math.round(duration)} ms`;
      if (error === undefined) return write("info", `${status} ${time}`);
      const words = error instanceof Error ? wordsOf(error) : "aborted";
      const isExpected = isAborted || (error instanceof ApiError && error.status === 404);
      write(isExpected ? "info" : "error", `${words} ${time}`);
    },
  };
}

/** Adds the headers that hooks offer, except those that cannot be sent. */
function addHeaders(
  headers: Record<string, string>,
  offered: Record<string, string>,
  onFailure: (error: unknown) => void,
): void {
  for (const [name, value] of Object.entries(offered)) {
    try {
      Object.assign(headers, checkHeaders({ [name]: value }));
    } catch (error) {
      onFailure(error);
    }
  }
}
