import { requestIdOf } from "../errors/request-id.ts";
import type { Log } from "../options/log.ts";
import type { CallEvent, RequestEvent, ResponseEvent, SettledEvent } from "../options/hooks.ts";
import { notify, reportHookError } from "./hooks.ts";
import type { BufferedResponse, ResponseHead, Run, SendConfig } from "./run.ts";

/** Creates the events for hooks. Path IDs and query values are redacted, because they may contain a secret. */
export function requestEvent(config: SendConfig, run: Run): RequestEvent {
  const { url, attempts } = run;
  return Object.assign(callEvent(run), { url: config.secret.redactor.redact(url), attempt: attempts });
}

/** Creates the event for the hooks of a call. */
export function callEvent({ spec: { operation, method, route }, call, scope }: Run): CallEvent {
  const event = { operation: operation.id, call, method, route };
  return Object.defineProperty(event, "scope", { value: scope }) as CallEvent; // with its last property
}

/** Creates the event of a response. */
export function responseEvent(
  config: SendConfig,
  run: Run,
  { status, headers }: ResponseHead,
  duration: number,
): ResponseEvent {
  const id = requestIdOf(headers);
  const requestId = id && config.secret.redactor.redact(id);
  return Object.assign(requestEvent(config, run), { status, requestId, duration });
}

/** Reports the end of a request to the hook `onSettled` and the log: a response, an error or an abort reason. */
export function reportSettled(
  config: SendConfig,
  run: Run,
  response: BufferedResponse | undefined,
  error: unknown,
  started: number,
): void {
  const duration = config.runtime.performance.now() - started;
  const { waited } = run;
  const nothing = { status: undefined, requestId: undefined, duration };
  const createEvent = (): SettledEvent => {
    const event =
      response === undefined
        ? Object.assign(requestEvent(config, run), nothing)
        : responseEvent(config, run, response.head, duration);
    return Object.assign(event, { error, waited });
  };
  notify(config.hooks, "onSettled", createEvent);
  const clean = (text: string): string => config.secret.redactor.redact(text);
  writeLog(config, (log) =>
    log.writeRequest(createEvent(), { request: run.spec.body, response: response?.bytes, clean }),
  );
}

/** Writes to the log. A failure of the log is only reported. */
export function writeLog({ hooks, log }: Pick<SendConfig, "hooks" | "log">, write: (log: Log) => void): void {
  try {
    if (log !== undefined) write(log);
  } catch (failure) {
    reportHookError(hooks, failure, "log");
  }
}
