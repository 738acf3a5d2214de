// A span for each attempt of each call, below the span of whatever made it.
//
//   node examples/opentelemetry-spans.ts
//
// A service that is observed already has the first block from its OpenTelemetry SDK; it needs only `spanHooks`.
import { type Attributes, context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { type Hooks, type RequestEvent, StoreClient } from "../src/index.ts";
import { createReferenceServer } from "../src/mock/index.ts";

const exporter = new InMemorySpanExporter();
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
trace.setGlobalTracerProvider(
  new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
);
const tracer = trace.getTracer("shelfleet-example");

/** One request: no other of this client has the same. */
const requestOf = ({ call, attempt }: RequestEvent): string => `${call} ${attempt}`;

/** Hooks that make spans. No hook is ever told a token, a key or a body, so that no span has one. */
function spanHooks(): Hooks {
  const open = new Map<string, Span>();

  const end = (event: RequestEvent, attributes: Attributes, failed: boolean): void => {
    const span = open.get(requestOf(event));
    open.delete(requestOf(event));
    if (failed) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.setAttributes(attributes).end();
  };
  // an attempt that was answered has ended already: then there is no span to end here
  const lost = (event: RequestEvent, error: unknown): void => {
    end(event, { "error.type": error instanceof Error ? error.name : "unknown" }, true);
  };

  return {
    onRequest: (event) => {
      const { operation, method, url, attempt } = event;
      const attributes = {
        "http.request.method": method,
        "url.full": url,
        ...(attempt > 1 && { "http.request.resend_count": attempt - 1 }),
      };
      const span = tracer.startSpan(operation, { kind: SpanKind.CLIENT, attributes });
      open.set(requestOf(event), span);
    },
    onResponse: (event) => end(event, { "http.response.status_code": event.status }, event.status >= 400),
    onRetry: (event) => lost(event, event.error),
    onError: (event) => lost(event, event.error),
  };
}

const ref = createReferenceServer({ store: { stores: 30 } });
ref.on("getStore").once({ status: 500 });
ref.on("getContacts").fault("reset").times(1);
const store = new StoreClient({
  baseUrl: ref.storeUrl,
  token: ref.token,
  fetch: ref.fetch,
  retry: { maxDelay: 10 },
  hooks: spanHooks(),
});

await tracer.startActiveSpan("nightly check", async (job) => {
  for await (const page of store.stores.list({ limit: 20 }).pages())
    job.addEvent(`${page.items.length} stores`);
  await Promise.all([store.stores.get("S-1"), store.contacts.get("S-1")]);
  await store.stores.get("nobody").catch(() => job.addEvent("no such store"));
  job.end();
});

const spans = exporter.getFinishedSpans().toSorted((a, b) => startOf(a) - startOf(b));
for (const { name, attributes, parentSpanContext } of spans) {
  const {
    "http.response.status_code": status,
    "error.type": lost,
    "http.request.resend_count": sent,
  } = attributes;
  const words = [name, status, lost, sent === undefined ? undefined : "sent again"];
  console.log(parentSpanContext === undefined ? "-" : "  -", ...words.filter((word) => word !== undefined));
}

function startOf({ startTime: [seconds, nanoseconds] }: (typeof spans)[number]): number {
  return seconds * 1e9 + nanoseconds;
}
