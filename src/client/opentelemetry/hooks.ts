import {
  type Attributes,
  context,
  type Histogram,
  type Meter,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { ConfigurationError } from "../core/errors/errors.ts";
import type { Hooks, RequestEvent, SendEvent, SettledEvent } from "../core/options/options.ts";
import { version } from "../core/version.ts";

/** Options of `openTelemetry`. */
export interface OpenTelemetryOptions {
  /** The tracer for the spans (default: the tracer `shelfleet` of the global provider). */
  tracer?: Tracer | undefined;
  /** The meter for the histogram of durations (default: the meter `shelfleet` of the global provider). */
  meter?: Meter | undefined;
  /** Whether requests carry the trace context in their headers, set by the global propagator (default: true). */
  propagate?: boolean | undefined;
}

const known = ["tracer", "meter", "propagate"];

/** The buckets that the semantic conventions recommend, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/**
 * Creates hooks that record a span and a duration for each request, by OpenTelemetry's semantic conventions for HTTP
 * clients: spans `GET /v1/stores/{externalId}` of kind client, and the histogram `http.client.request.duration`. A
 * retry is a separate span. They never contain tokens, keys or bodies.
 * @throws {ConfigurationError} for a wrong option
 * @example
 * const store = new StoreClient({ baseUrl, token, hooks: openTelemetry() });
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Hooks {
  const { tracer, meter, propagate = true } = checkOptions(options);
  const open = new OpenSpans();
  let durations: Histogram | undefined;

  const onSend = (event: SendEvent): void => {
    const own = tracer ?? trace.getTracer("shelfleet", version);
    const span = own.startSpan(`${event.method} ${event.route}`, {
      kind: SpanKind.CLIENT,
      attributes: requestAttributes(event),
    });
    open.add(event, span);
    if (propagate) propagation.inject(trace.setSpan(context.active(), span), event.headers);
  };

  const onSettled = (event: SettledEvent): void => {
    const outcome = outcomeAttributes(event);
    endSpan(open.take(event), event, outcome);
    durations ??= makeHistogram(meter ?? metrics.getMeter("shelfleet", version));
    durations.record(event.duration / 1000, { ...commonAttributes(event), ...outcome });
  };

  return { onSend, onSettled };
}

function checkOptions(options: OpenTelemetryOptions): OpenTelemetryOptions {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ConfigurationError(
      `openTelemetry: unknown option "${unknown}". Expected one of ${known.join(", ")}`,
    );
  }
  const { tracer, meter, propagate } = options;
  if (tracer !== undefined && typeof tracer?.startSpan !== "function")
    throw new ConfigurationError("openTelemetry: tracer must be a Tracer of @opentelemetry/api");
  if (meter !== undefined && typeof meter?.createHistogram !== "function")
    throw new ConfigurationError("openTelemetry: meter must be a Meter of @opentelemetry/api");
  if (propagate !== undefined && typeof propagate !== "boolean")
    throw new ConfigurationError("openTelemetry: propagate must be true or false");
  return options;
}

/**
 * The spans of requests in flight. Two clients with the same hooks may use the same call number: then the URL
 * identifies the request, and requests with the same URL are interchangeable.
 */
class OpenSpans {
  readonly #spans = new Map<string, Span[]>();

  add(event: RequestEvent, span: Span): void {
    const key = keyOf(event);
    this.#spans.set(key, [...(this.#spans.get(key) ?? []), span]);
  }

  take(event: RequestEvent): Span | undefined {
    const key = keyOf(event);
    const [first, ...rest] = this.#spans.get(key) ?? [];
    if (rest.length > 0) this.#spans.set(key, rest);
    else this.#spans.delete(key);
    return first;
  }
}

function keyOf({ call, attempt, method, url }: RequestEvent): string {
  return `${call} ${attempt} ${method} ${url}`;
}

function makeHistogram(meter: Meter): Histogram {
  return meter.createHistogram("http.client.request.duration", {
    description: "Duration of HTTP client requests.",
    unit: "s",
    advice: { explicitBucketBoundaries: buckets },
  });
}

function commonAttributes({ method, url, route }: RequestEvent): Attributes {
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

function outcomeAttributes({ status, error }: SettledEvent): Attributes {
  if (status === undefined) return { "error.type": error instanceof Error ? error.name : "abort" };
  return { "http.response.status_code": status, ...(status >= 400 && { "error.type": `${status}` }) };
}

function endSpan(span: Span | undefined, { error, requestId }: SettledEvent, outcome: Attributes): void {
  if (span === undefined) return;
  span.setAttributes(outcome);
  if (requestId !== undefined) span.setAttribute("shelfleet.request_id", requestId);
  if (outcome["error.type"] !== undefined) {
    const message = error instanceof Error ? { message: error.message } : {};
    span.setStatus({ code: SpanStatusCode.ERROR, ...message });
  }
  span.end();
}
