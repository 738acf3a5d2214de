import {
  context,
  metrics as metricsApi,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, beforeEach, expect, it } from "vitest";
import { openTelemetry } from "../../src/client/opentelemetry.ts";
import { version } from "../../src/wire/version.ts";
import { serve } from "../sync/service.ts";
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
trace.setGlobalTracerProvider(tracers);
metricsApi.setGlobalMeterProvider(meters);
const hooks = openTelemetry();

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
  for (const api of [context, propagation, trace, metricsApi]) api.disable();
});

/** The attributes that spans and metrics of a request have. */
const requestOf = {
  "http.request.method": "GET",
  "url.template": route,
  "server.address": "stores.example.com",
  "server.port": 443,
};

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
    ...requestOf,
    "url.full": "https://stores.example.com/v1/stores/S-1",
    "shelfleet.operation": "getStore",
  };
  expect(first).toMatchObject({
    name: `GET ${route}`,
    kind: SpanKind.CLIENT,
    status: { code: SpanStatusCode.ERROR },
  });
  expect(first?.attributes).toEqual({ ...request, "http.response.status_code": 503, "error.type": "503" });
  expect(second?.attributes).toEqual({
    ...request,
    "http.response.status_code": 200,
    "http.request.resend_count": 1,
    "shelfleet.request_id": "r-1",
  });
  expect(whole).toMatchObject({
    name: "getStore",
    kind: SpanKind.INTERNAL,
    status: { code: SpanStatusCode.UNSET },
    attributes: { "shelfleet.operation": "getStore", "shelfleet.attempts": 2 },
  });
  expect(second?.status).toEqual({ code: SpanStatusCode.UNSET });
  expect(whole?.parentSpanContext?.spanId).toBe(job?.spanContext().spanId);
  for (const [index, span] of [first, second].entries()) {
    expect(span?.parentSpanContext?.spanId).toBe(whole?.spanContext().spanId);
    expect(requests[index]?.headers["traceparent"]).toBe(`00-${span?.spanContext().spanId}-01`);
  }
});

it("a call that fails ends its spans with the error, which shows no token", async () => {
  await call(json({ error: { code: "x", message: `bad ${token}` } }, 400)).result.catch(() => {});
  const spans = exporter.getFinishedSpans();
  const code = SpanStatusCode.ERROR;
  expect(spans.map(({ status }) => status)).toEqual([
    { code },
    { code, message: `GET ${route}: 400 failed` },
  ]);
  expect(JSON.stringify(spans.map(({ status, attributes }) => [status, attributes]))).not.toContain(token);
});

/** Returns the metrics of what `run` does. */
async function measure(run: () => Promise<unknown>) {
  await reader.forceFlush();
  measured.reset();
  await run();
  await reader.forceFlush();
  return measured
    .getMetrics()
    .flatMap(({ scopeMetrics }) =>
      scopeMetrics.flatMap(({ metrics, scope }) =>
        metrics.map((metric) => ({ ...metric, meter: scope.name })),
      ),
    )
    .map(({ meter, descriptor: { name, unit, description }, dataPoints }) => {
      const points = dataPoints.map(({ attributes, value }) =>
        typeof value === "object" ? [attributes, value.sum] : [attributes, value],
      );
      const buckets = dataPoints.map(({ value }) => (value as Partial<Histogram>).buckets?.boundaries.length);
      return { meter, name, unit, description, points, buckets: buckets[0] };
    });
}

it("durations, waits and retries are measured", async () => {
  const { runtime, pass } = virtualRuntime();
  const answer = (response: Response) => () => {
    pass(250);
    return response;
  };
  const limiter = { acquire: () => pass(500) };
  const { fetch } = stubFetch(answer(json({}, 503)), new TypeError("reset"), answer(json(store)));
  const metrics = await measure(() =>
    createSmallApi({ fetch, hooks, runtime, limiter }).http.GET(route, byId),
  );
  const operation = { "shelfleet.operation": "getStore" };
  const meter = "shelfleet";
  expect(metrics).toEqual([
    {
      meter,
      name: "http.client.request.duration",
      unit: "s",
      description: "Duration of HTTP client requests.",
      points: [
        [{ ...requestOf, "http.response.status_code": 503, "error.type": "503" }, 0.25],
        [{ ...requestOf, "error.type": "ConnectionError" }, 0],
        [{ ...requestOf, "http.response.status_code": 200 }, 0.25],
      ],
      buckets: 14,
    },
    {
      meter,
      name: "shelfleet.client.wait.duration",
      unit: "s",
      description: "Time for which requests waited for maxConcurrency and the limiter.",
      points: [[operation, 1.5]],
      buckets: 14,
    },
    {
      meter,
      name: "shelfleet.client.retries",
      unit: "{retry}",
      description: "Requests that are sent again, also after a response 429.",
      points: [
        [{ ...operation, "error.type": "503" }, 1],
        [{ ...operation, "error.type": "ConnectionError" }, 1],
      ],
      buckets: undefined,
    },
  ]);
});

it("an aborted call has the error type abort and no text", async () => {
  const { fetch } = stubFetch(() => new Promise(() => {}));
  const signal = AbortSignal.timeout(1);
  const [durations] = await measure(() =>
    createSmallApi({ fetch, hooks })
      .http.GET(route, { ...byId, signal })
      .catch(() => {}),
  );
  expect(durations?.points[0]?.[0]).toMatchObject({ "error.type": "abort" });
  const errors = exporter.getFinishedSpans().map(({ status }) => status);
  expect(errors).toEqual([{ code: SpanStatusCode.ERROR }, { code: SpanStatusCode.ERROR }]);
});

it.each([
  ["https://fleet.example:8443/api/third-party/v1", "fleet.example", 8443],
  ["http://localhost/api/third-party/v1", "localhost", 80],
])("a request to %s names its server", async (baseUrl, host, port) => {
  const { makeFleet } = serve(() => [200, { data: {} }]);
  await makeFleet({ baseUrl, hooks }).vehicles.get("1");
  const [request] = exporter.getFinishedSpans();
  expect(request?.attributes).toMatchObject({ "server.address": host, "server.port": port });
});

it("the global providers are used, and without propagate no header is set", async () => {
  const send = async (options: object) => {
    const { fetch, requests } = stubFetch(json(store));
    await createSmallApi({ fetch, hooks: openTelemetry(options) }).http.GET(route, byId);
    return requests[0]?.headers["traceparent"] !== undefined;
  };
  const propagated: boolean[] = [];
  const found = await measure(async () => propagated.push(await send({}), await send({ propagate: false })));
  expect(propagated).toEqual([true, false]);
  const scopes = exporter.getFinishedSpans().map(({ instrumentationScope }) => instrumentationScope);
  expect(scopes).toEqual(
    Array.from({ length: 4 }, () => expect.objectContaining({ name: "shelfleet", version }) as object),
  );
  expect(found.map(({ meter }) => meter)).toEqual(["shelfleet", "shelfleet"]);
});
