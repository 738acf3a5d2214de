import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, beforeEach, expect, it } from "vitest";
import { openTelemetry } from "../../src/client/opentelemetry.ts";
import {
  byId,
  createSmallApi,
  json,
  route,
  store,
  stubFetch,
  token,
  virtualRuntime,
} from "./core/small-api.ts";

const exporter = new InMemorySpanExporter();
const tracers = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });
const meters = new MeterProvider({ readers: [reader] });
const hooks = openTelemetry({ tracer: tracers.getTracer("test"), meter: meters.getMeter("test") });

context.setGlobalContextManager(new AsyncLocalStorageContextManager());
propagation.setGlobalPropagator({
  inject: (from, carrier, setter) =>
    setter.set(carrier, "traceparent", `00-${trace.getSpanContext(from)?.spanId}-01`),
  extract: (from) => from,
  fields: () => ["traceparent"],
});

beforeEach(() => exporter.reset());
afterAll(async () => {
  await meters.shutdown();
  for (const api of [context, propagation]) api.disable();
});

function call(...responses: (Response | Error)[]) {
  const { fetch, requests } = stubFetch(...responses);
  const { http } = createSmallApi({ fetch, hooks, runtime: virtualRuntime().runtime });
  return { requests, result: http.GET(route, byId) };
}

it("a call has a span below the active one, and each of its requests has one below it", async () => {
  const requests = await tracers.getTracer("job").startActiveSpan("job", async (job) => {
    const sent = call(json({}, 503), json(store, 200, { "x-request-id": "r-1" }));
    await sent.result;
    job.end();
    return sent.requests;
  });
  const [first, second, whole, job] = exporter.getFinishedSpans();
  const request = {
    "http.request.method": "GET",
    "url.template": route,
    "url.full": "https://stores.example.com/v1/stores/S-1",
    "server.address": "stores.example.com",
    "server.port": 443,
    "shelfleet.operation": "getStore",
  };
  expect(first).toMatchObject({
    name: `GET ${route}`,
    kind: SpanKind.CLIENT,
    status: { code: SpanStatusCode.ERROR },
    attributes: { ...request, "http.response.status_code": 503, "error.type": "503" },
  });
  expect(second?.attributes).toEqual({
    ...request,
    "http.response.status_code": 200,
    "http.request.resend_count": 1,
    "shelfleet.request_id": "r-1",
  });
  expect(whole).toMatchObject({ name: "getStore", attributes: { "shelfleet.attempts": 2 } });
  expect(whole?.parentSpanContext?.spanId).toBe(job?.spanContext().spanId);
  for (const [index, span] of [first, second].entries()) {
    expect(span?.parentSpanContext?.spanId).toBe(whole?.spanContext().spanId);
    expect(requests[index]?.headers["traceparent"]).toBe(`00-${span?.spanContext().spanId}-01`);
  }
});

it("a call that fails ends its spans with the error, which shows no token", async () => {
  await call(json({ error: { code: "x", message: `bad ${token}` } }, 400)).result.catch(() => {});
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ status }) => status.code)).toEqual([SpanStatusCode.ERROR, SpanStatusCode.ERROR]);
  expect(JSON.stringify(spans.map(({ status, attributes }) => [status, attributes]))).not.toContain(token);
});

it("durations and retries are measured", async () => {
  await reader.forceFlush();
  measured.reset();
  await call(json({}, 503), json(store)).result;
  await reader.forceFlush();
  const metrics = measured
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  const values = metrics.map(({ descriptor, dataPoints }) => [
    descriptor.name,
    dataPoints.map(({ attributes }) => attributes["error.type"]),
  ]);
  expect(values).toEqual([
    ["http.client.request.duration", ["503", undefined]],
    ["shelfleet.client.retries", ["503"]],
  ]);
});
