import { setTimeout } from "node:timers/promises";
import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { openTelemetry } from "../../../src/client/opentelemetry/index.ts";
import { json } from "../core/stub-fetch.ts";
import { store, stubClient, token } from "../store/stub-client.ts";

const exporter = new InMemorySpanExporter();
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
trace.setGlobalTracerProvider(
  new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
);
propagation.setGlobalPropagator({
  inject(from, carrier, setter) {
    const { traceId = "", spanId = "" } = trace.getSpanContext(from) ?? {};
    setter.set(carrier, "traceparent", `00-${traceId}-${spanId}-01`);
  },
  extract: (from) => from,
  fields: () => ["traceparent"],
});
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });
const meters = new MeterProvider({ readers: [reader] });
metrics.setGlobalMeterProvider(meters);

afterEach(() => {
  exporter.reset();
  measured.reset();
});
afterAll(async () => {
  await meters.shutdown();
  for (const api of [context, metrics, propagation, trace]) api.disable();
});

const finished = () => exporter.getFinishedSpans();
/** The spans of requests. */
const spans = () => finished().filter(({ kind }) => kind === SpanKind.CLIENT);

const metricsOf = (name: string) =>
  (measured.getMetrics().at(-1)?.scopeMetrics[0]?.metrics ?? []).filter(
    ({ descriptor }) => descriptor.name === name,
  );

describe("openTelemetry", () => {
  it("creates a span without the server's address if the token is a word of the host", async () => {
    const { client } = stubClient(() => json(store), { hooks: openTelemetry(), token: "example" });
    await client.stores.get("S-1");
    const [span] = spans();
    expect(span?.attributes).toEqual({
      "http.request.method": "GET",
      "url.full": "https://store.[redacted]/base/v1/stores/S-1",
      "url.template": "/v1/stores/{externalId}",
      "shelfleet.operation": "getStore",
      "http.response.status_code": 200,
    });
  });

  it("creates a span for each request below the one of its call, which is a child of the active span", async () => {
    const { client } = stubClient(
      (_, index) => json(store, index === 0 ? { status: 503 } : { headers: { "x-request-id": "r-1" } }),
      { hooks: openTelemetry(), retry: { maxDelay: 0 } },
    );
    await trace.getTracer("job").startActiveSpan("job", async (job) => {
      await client.stores.get("S-1");
      job.end();
    });
    const [first, second, call, job] = finished();
    expect([first?.name, second?.name]).toEqual(Array(2).fill("GET /v1/stores/{externalId}"));
    expect(first?.kind).toBe(SpanKind.CLIENT);
    expect(call).toMatchObject({
      name: "getStore",
      kind: SpanKind.INTERNAL,
      attributes: { "shelfleet.operation": "getStore", "shelfleet.attempts": 2 },
      status: { code: SpanStatusCode.UNSET },
    });
    expect(call?.parentSpanContext?.spanId).toBe(job?.spanContext().spanId);
    for (const request of [first, second])
      expect(request?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
    expect(first?.status.code).toBe(SpanStatusCode.ERROR);
    expect(first?.attributes).toEqual({
      "http.request.method": "GET",
      "url.full": "https://store.example/base/v1/stores/S-1",
      "url.template": "/v1/stores/{externalId}",
      "server.address": "store.example",
      "server.port": 443,
      "shelfleet.operation": "getStore",
      "http.response.status_code": 503,
      "error.type": "503",
    });
    expect(second?.attributes).toMatchObject({
      "http.request.resend_count": 1,
      "http.response.status_code": 200,
      "shelfleet.request_id": "r-1",
    });
    expect(second?.status.code).toBe(SpanStatusCode.UNSET);
  });

  it("propagates the trace in the headers, unless `propagate` is false", async () => {
    const { client, sent } = stubClient(undefined, { hooks: openTelemetry() });
    await client.stores.get("S-1");
    const { traceId, spanId } = spans()[0]?.spanContext() ?? {};
    expect(sent[0]?.headers["traceparent"]).toBe(`00-${traceId}-${spanId}-01`);
    const silent = stubClient(undefined, { hooks: openTelemetry({ propagate: false }) });
    await silent.client.stores.get("S-1");
    expect(silent.sent[0]?.headers).not.toHaveProperty("traceparent");
  });

  it("ends the span of a request without a response, and records no secret", async () => {
    const fetch = (): never => {
      throw new TypeError(`no route with ${token}`);
    };
    const { client } = stubClient(undefined, { hooks: openTelemetry(), fetch, retry: 0 });
    await client.stores.get(token).catch(() => {});
    const aborted = client.withOptions({ fetch: () => new Promise(() => {}) });
    await aborted.stores.get("S-1", { timeout: 5 }).catch(() => {});
    expect(spans()[0]?.attributes["error.type"]).toBe("ConnectionError");
    const whole = JSON.stringify(
      spans().map(({ name, attributes, status }) => ({ name, attributes, status })),
    );
    expect(whole).not.toContain(token);
    expect(whole).not.toContain(encodeURIComponent(token));
  });

  it("records nothing of the reason of a signal, or of the error of a token function", async () => {
    const reason = Object.assign(new Error(`stop ${token}`), { name: token });
    const controller = new AbortController();
    const fetch = (): Promise<never> => {
      controller.abort(reason);
      return Promise.reject(reason);
    };
    const { client } = stubClient(undefined, { hooks: openTelemetry(), fetch });
    await client.stores.get("S-1", { signal: controller.signal }).catch(() => {});
    const failing = client.withOptions({ token: () => Promise.reject(reason) });
    await failing.stores.get("S-1").catch(() => {});
    const recorded = finished().map(({ attributes, status }) => ({ attributes, status }));
    expect(recorded.map(({ status }) => status)).toEqual(
      recorded.map(() => ({ code: SpanStatusCode.ERROR })),
    );
    expect(JSON.stringify(recorded)).toContain('"error.type":"abort"');
    expect(JSON.stringify(recorded)).not.toContain(token);
  });

  it("measures durations with few attributes", async () => {
    await meters.forceFlush(); // the measurements of the tests before
    const { client } = stubClient((_, index) => json(store, { status: index === 0 ? 404 : 200 }), {
      hooks: openTelemetry(),
    });
    await client.stores.get("S-1").catch(() => {});
    await client.stores.get("S-2");
    await meters.forceFlush();
    const [metric] = metricsOf("http.client.request.duration");
    expect(metric?.descriptor).toMatchObject({ name: "http.client.request.duration", unit: "s" });
    expect(metric?.dataPoints.map(({ attributes }) => attributes)).toEqual([
      {
        "http.request.method": "GET",
        "server.address": "store.example",
        "server.port": 443,
        "url.template": "/v1/stores/{externalId}",
        "http.response.status_code": 404,
        "error.type": "404",
      },
      expect.objectContaining({ "http.response.status_code": 200 }),
    ]);
  });

  it("measures retries, and waits for the limiter", async () => {
    await meters.forceFlush(); // the measurements of the tests before
    const statuses = [429, 503];
    const { client } = stubClient(
      (_, index) => json(store, { status: statuses[index] ?? 200, headers: { "retry-after": "0" } }),
      { hooks: openTelemetry(), limiter: { acquire: () => setTimeout(5) } },
    );
    await client.stores.get("S-1");
    await meters.forceFlush();
    const operation = { "shelfleet.operation": "getStore" };
    expect(metricsOf("shelfleet.client.retries")[0]?.dataPoints).toMatchObject([
      { value: 1, attributes: { ...operation, "error.type": "429" } },
      { value: 1, attributes: { ...operation, "error.type": "503" } },
    ]);
    expect(metricsOf("shelfleet.client.wait.duration")[0]?.dataPoints).toMatchObject([
      { value: { count: 3 }, attributes: operation },
    ]);
  });

  it("marks the span of a call that fails", async () => {
    const { client } = stubClient(() => json({}, { status: 404 }), { hooks: openTelemetry() });
    await client.stores.get("S-1").catch(() => {});
    const call = finished().find(({ kind }) => kind === SpanKind.INTERNAL);
    expect(call?.status).toMatchObject({
      code: SpanStatusCode.ERROR,
      message: expect.stringContaining("404") as string,
    });
  });

  it("is combined with other hooks in an array", async () => {
    const settled: number[] = [];
    const { client } = stubClient(() => json(store), {
      hooks: [openTelemetry(), { onSettled: ({ status = 0 }) => void settled.push(status) }],
    });
    await client.stores.get("S-1");
    expect([finished().length, settled]).toEqual([2, [200]]);
  });

  it("keeps the spans of clients with the same hooks, call numbers and URLs separate", async () => {
    const hooks = openTelemetry();
    const clients = [1, 2].map(() => stubClient(() => json(store), { hooks }).client);
    await Promise.all(clients.map((client) => client.stores.get("S-1")));
    const parents = spans().map(({ parentSpanContext }) => parentSpanContext?.spanId);
    expect(new Set(parents).size).toBe(2);
  });

  it("keeps the requests of one client separate", async () => {
    const { client } = stubClient(undefined, { hooks: openTelemetry() });
    await Promise.all(["A", "B", "C"].map((id) => client.stores.get(id)));
    expect(new Set(spans().map(({ attributes }) => attributes["url.full"])).size).toBe(3);
  });

  it("keeps the requests of clients with the same hooks separate", async () => {
    const hooks = openTelemetry();
    const { client } = stubClient((sent) => json(store, { status: sent.path.endsWith("A") ? 404 : 200 }), {
      hooks,
    });
    const other = client.withOptions({ timeout: 1000 });
    await Promise.allSettled([client.stores.get("A"), other.stores.get("B")]);
    const statusOf = ({ attributes }: { attributes: object }): unknown[] => Object.values(attributes);
    for (const span of spans()) {
      const isMissing = String(span.attributes["url.full"]).endsWith("A");
      expect(statusOf(span)).toContain(isMissing ? 404 : 200);
    }
    expect(spans()).toHaveLength(2);
  });

  it.each([
    [{ tracer: {} }, "tracer must be a Tracer"],
    [{ meter: 1 }, "meter must be a Meter"],
    [{ propagate: "yes" }, "propagate must be true or false"],
    [
      { trace: true },
      'unknown option "trace". Did you mean "tracer"? Expected one of tracer, meter, propagate',
    ],
  ])("rejects %j", (options, message) => {
    expect(() => openTelemetry(options as object)).toThrow(message);
  });
});
