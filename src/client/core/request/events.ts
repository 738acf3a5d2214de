import { requestIdOf } from "../errors/errors.ts";
import type { RequestEvent, SettledEvent } from "../options/options.ts";
import { notify, reportHookError } from "./hooks.ts";
import type { BufferedResponse, Run, SendConfig } from "./run.ts";

/** Creates the events for hooks. Path IDs and query values are redacted, because they may contain a secret. */
export function requestEvent({ secret }: SendConfig, { spec, call, url, attempts }: Run): RequestEvent {
  const { operation, method, route } = spec;
  return {
    operation: operation.id,
    call,
    method,
    url: secret.redactor.redact(url),
    route,
    attempt: attempts,
  };
}

/** Reports the end of a request to the hook `onSettled` and the log: a response, an error or an abort reason. */
export function reportSettled(
  config: SendConfig,
  run: Run,
  response: BufferedResponse | undefined,
  error: unknown,
  started: number,
): void {
  const { hooks, log, runtime, secret } = config;
  const clean = (text: string): string => secret.redactor.redact(text);
  const requestId = response && requestIdOf(response.headers);
  const duration = runtime.performance.now() - started;
  const createEvent = (): SettledEvent => ({
    ...requestEvent(config, run),
    duration,
    status: response?.status,
    requestId: requestId && clean(requestId),
    error,
  });
  notify(hooks, "onSettled", createEvent);
  try {
    log?.(createEvent(), { request: run.spec.body, response: response?.bytes, clean });
  } catch (failure) {
    reportHookError(hooks, failure, "log");
  }
}
