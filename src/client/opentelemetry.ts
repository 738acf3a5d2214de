import {
  type Attributes,
  type Context,
  context,
  type Meter,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { version } from "../wire/version.ts";
import { booleanRule, type OptionRule, readOptions } from "./option-rules.ts";
import { ShelfleetError } from "./errors.ts";
import type { Hooks, RequestEvent, ResponseEvent } from "./hooks.ts";

/** Options of `openTelemetry`. */
export interface OpenTelemetryOptions {
  /** Whether requests carry the trace context in their headers, set by the global propagator (default: true). */
  propagate?: boolean | undefined;
}

const rules: Record<keyof OpenTelemetryOptions, OptionRule> = { propagate: booleanRule };

/** The buckets that the semantic conventions recommend, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/**
 * Creates hooks for spans and metrics, of the tracer and the meter `shelfleet` of the global providers. A span of kind
 * internal for each call, such as `getStore`, has a span of kind client for each of its requests, such as
 * `GET /v1/stores/{externalId}`, by OpenTelemetry's semantic conventions for HTTP clients. The metrics are the histograms
 * `http.client.request.duration` and `shelfleet.client.wait.duration`, the time for which requests waited for
 * `maxConcurrency` and the limiter, and the counter `shelfleet.client.retries`. They never contain tokens, keys or bodies.
 * @throws {ConfigurationError} for a wrong option
 * @example
 * const store = new StoreClient({ baseUrl, token, hooks: [openTelemetry(), { onEnd: report }] });
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Hooks {
  readOptions("openTelemetry: ", options, rules);
  const { propagate = true } = options;
  const calls = new WeakMap<object, Span>();
  const requests = new WeakMap<object, Span>();
  let instruments: ReturnType<typeof createInstruments> | undefined;
  const getInstruments = () => (instruments ??= createInstruments(metrics.getMeter("shelfleet", version)));

  return {
    onRequest(event) {
      const { scope, operation, method, route } = event;
      const name = `${method} ${route}`;
      // the span of a call begins with its first request
      const call =
        calls.get(scope) ?? startSpan(operation, SpanKind.INTERNAL, { "shelfleet.operation": operation });
      calls.set(scope, call);
      const parent = trace.setSpan(context.active(), call);
      const span = startSpan(name, SpanKind.CLIENT, requestAttributes(event), parent);
      requests.set(scope, span);
      if (propagate) propagation.inject(trace.setSpan(parent, span), event.headers);
    },
    onResponse(event) {
      const outcome = outcomeAttributes(event);
      endRequest(requests.get(event.scope), event, outcome);
      const { durations, waits } = getInstruments();
      durations.record(event.duration / 1000, { ...commonAttributes(event), ...outcome });
      waits.record(event.waited / 1000, { "shelfleet.operation": event.operation });
    },
    onRetry({ operation, status, error }) {
      const reason = { "error.type": String(status ?? error?.name) };
      getInstruments().retries.add(1, { "shelfleet.operation": operation, ...reason });
    },
    onEnd({ scope, attempts, error }) {
      const span = calls.get(scope);
      span?.setAttribute("shelfleet.attempts", attempts);
      if (error !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR, ...messageOf(error) });
      span?.end();
    },
  };
}

function startSpan(name: string, kind: SpanKind, attributes: Attributes, parent?: Context): Span {
  return trace.getTracer("shelfleet", version).startSpan(name, { kind, attributes }, parent);
}

function createInstruments(meter: Meter) {
  const seconds = { unit: "s", advice: { explicitBucketBoundaries: buckets } };
  return {
    durations: meter.createHistogram("http.client.request.duration", {
      ...seconds,
      description: "Duration of HTTP client requests.",
    }),
    waits: meter.createHistogram("shelfleet.client.wait.duration", {
      ...seconds,
      description: "Time for which requests waited for maxConcurrency and the limiter.",
    }),
    retries: meter.createCounter("shelfleet.client.retries", {
      unit: "{retry}",
      description: "Requests that are sent again, also after a response 429.",
    }),
  };
}

function commonAttributes({ method, url, route }: RequestEvent | ResponseEvent): Attributes {
  return { "http.request.method": method, ...serverAttributes(url), "url.template": route };
}

/** Returns no attributes if the host contains a redacted word. */
function serverAttributes(url: string): Attributes {
  if (!URL.canParse(url)) return {};
  const { protocol, hostname, port } = new URL(url);
  const defaultPort = protocol === "https:" ? 443 : 80;
  return { "server.address": hostname, "server.port": port === "" ? defaultPort : Number(port) };
}

function requestAttributes(event: RequestEvent): Attributes {
  return {
    ...commonAttributes(event),
    "url.full": event.url,
    "shelfleet.operation": event.operation,
    ...(event.attempt > 1 && { "http.request.resend_count": event.attempt - 1 }),
  };
}

function outcomeAttributes({ status, error }: ResponseEvent): Attributes {
  if (status === undefined) return { "error.type": error instanceof ShelfleetError ? error.name : "abort" };
  return { "http.response.status_code": status, ...(status >= 400 && { "error.type": `${status}` }) };
}

function endRequest(span: Span | undefined, { error, requestId }: ResponseEvent, outcome: Attributes): void {
  if (span === undefined) return;
  span.setAttributes(outcome);
  if (requestId !== undefined) span.setAttribute("shelfleet.request_id", requestId);
  if (outcome["error.type"] !== undefined)
    span.setStatus({ code: SpanStatusCode.ERROR, ...messageOf(error) });
  span.end();
}

/** The reason of a signal and the error of a token function are the program's own, and may contain a secret. */
function messageOf(error: unknown): { message?: string } {
  return error instanceof ShelfleetError ? { message: error.message } : {};
}
