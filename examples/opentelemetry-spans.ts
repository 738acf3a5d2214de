// Records a span for each call, as a child of the caller's span, and below it one for each of its requests.
//
//   npm install shelfleet @opentelemetry/api @opentelemetry/context-async-hooks @opentelemetry/sdk-trace
//   node opentelemetry-spans.ts
//
// A service that is observed already has the first block from its OpenTelemetry SDK; it needs only `openTelemetry()`.
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { StoreClient } from "shelfleet";
import { createReferenceServer } from "shelfleet/mock";
import { openTelemetry } from "shelfleet/opentelemetry";

const exporter = new InMemorySpanExporter();
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
trace.setGlobalTracerProvider(
  new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
);
const tracer = trace.getTracer("shelfleet-example");

const ref = createReferenceServer({ store: { stores: 30 } });
ref.on("getStore").once({ status: 500 });
ref.on("getContacts").fault("reset").times(1);
const store = new StoreClient({
  ...ref.storeOptions,
  retry: { maxDelay: 10 },
  hooks: openTelemetry(),
});

await tracer.startActiveSpan("nightly check", async (job) => {
  for await (const page of store.stores.list({ limit: 20 }).pages())
    job.addEvent(`${page.items.length} stores`);
  await Promise.all([store.stores.get("S-1"), store.contacts.get("S-1")]);
  await store.stores.get("nobody").catch(() => job.addEvent("no such store"));
  job.end();
});

const spans = exporter.getFinishedSpans().toSorted((a, b) => startOf(a) - startOf(b));
print(undefined, "-");

/** Prints the spans below a span, each with those below it. */
function print(parent: string | undefined, bullet: string): void {
  for (const span of spans) {
    const { name, attributes } = span;
    if (span.parentSpanContext?.spanId !== parent) continue;
    const {
      "http.response.status_code": status,
      "error.type": lost,
      "http.request.resend_count": sent,
    } = attributes;
    const words = [name, status ?? lost, sent === undefined ? undefined : "sent again"];
    console.log(bullet, ...words.filter((word) => word !== undefined));
    print(span.spanContext().spanId, `  ${bullet}`);
  }
}

function startOf({ startTime: [seconds, nanoseconds] }: (typeof spans)[number]): number {
  return seconds * 1e9 + nanoseconds;
}
