import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { CallError, FleetClient } from "../../src/index.ts";
import { type Certificate, createCertificates } from "./certificates.ts";
import { Proxy } from "./proxy.ts";
import { type Respond, responses, Service, type ServiceOptions } from "./service.ts";
import { type Connection, type Open, transports } from "./transports.ts";

let certificates: Record<"authority" | "server" | "client", Certificate>;
let proxy: Proxy;
let proxyUrl: string;

beforeAll(async () => {
  certificates = await createCertificates();
  proxy = new Proxy();
  proxyUrl = await proxy.listen();
});
afterAll(() => proxy.close());
afterEach(() => vi.unstubAllEnvs());

/** A connection, and how the service behaves. */
interface Row {
  protocol: ServiceOptions["protocol"];
  /** Options of `nodeTransport`, besides the authority of the service. */
  connection?: () => Connection;
  respond?: Respond;
  environment?: () => Record<string, string>;
  hasClientCertificate?: boolean;
  loss?: ServiceOptions["loss"];
  /** Whether the service ends the idle connections after each call. */
  endsIdle?: boolean;
  /** The number of GETs that the service sees (default: 1). */
  gets?: number;
  /** The version of HTTP (default: 1.1). */
  version?: string;
  /** Whether each request goes through the proxy (default: false). */
  isProxied?: boolean;
}

const http2 = { protocol: "h2", connection: () => ({ http2: true }), version: "2.0" } as const;
const { after102, after103, gzip, br, deflate, bytes, cut } = responses;

const rows: Record<string, Row> = {
  "HTTP/1.1": { protocol: "http" },
  "one connection": { protocol: "http", connection: () => ({ connections: 1 }) },
  "a dispatcher": { protocol: "https", connection: () => ({ hasDispatcher: true }) },
  "TLS, own authority": { protocol: "https" },
  "TLS, client certificate": {
    protocol: "https",
    connection: () => ({ connect: { cert: certificates.client.cert, key: certificates.client.key } }),
    hasClientCertificate: true,
  },
  "HTTP/2": http2,
  "HTTP/2, the stream is reset": { ...http2, loss: "reset" },
  "HTTP/2, the service leaves": { ...http2, loss: "goaway" },
  "HTTP/2 that is not offered": { protocol: "https", connection: () => ({ http2: true }) },
  "HTTP/2, client certificate": {
    ...http2,
    connection: () => ({
      http2: true,
      connect: { cert: certificates.client.cert, key: certificates.client.key },
    }),
    hasClientCertificate: true,
  },
  "proxy with password": { protocol: "http", connection: () => ({ proxy: proxyUrl }), isProxied: true },
  "proxy with password, TLS": { protocol: "https", connection: () => ({ proxy: proxyUrl }), isProxied: true },
  "proxy with password, HTTP/2": {
    ...http2,
    connection: () => ({ proxy: proxyUrl, http2: true }),
    isProxied: true,
  },
  "proxy of HTTPS_PROXY": {
    protocol: "https",
    connection: () => ({ proxy: "env" }),
    environment: () => ({ HTTPS_PROXY: proxyUrl, NO_PROXY: "other.example" }),
    isProxied: true,
  },
  "proxy of HTTP_PROXY": {
    protocol: "http",
    connection: () => ({ proxy: "env" }),
    environment: () => ({ HTTP_PROXY: proxyUrl }),
    isProxied: true,
  },
  NO_PROXY: {
    protocol: "https",
    connection: () => ({ proxy: "env" }),
    environment: () => ({ HTTPS_PROXY: proxyUrl, NO_PROXY: "other.example,localhost" }),
  },
  "102": { protocol: "http", respond: after102 },
  "103": { protocol: "http", respond: after103 },
  "103, TLS": { protocol: "https", respond: after103 },
  "103, HTTP/2": { ...http2, respond: after103 },
  gzip: { protocol: "http", respond: gzip },
  br: { protocol: "http", respond: br },
  deflate: { protocol: "http", respond: deflate },
  "gzip, HTTP/2": { ...http2, respond: gzip },
  "chunks of one byte": { protocol: "http", respond: bytes },
  "a cut body": { protocol: "http", respond: cut, gets: 2 },
  "a cut body, TLS": { protocol: "https", respond: cut, gets: 2 },
  "a cut body, HTTP/2": { ...http2, respond: cut, gets: 2 },
  "an idle connection is closed": { protocol: "http", endsIdle: true },
  "an idle connection is closed, TLS": { protocol: "https", endsIdle: true },
  "an idle connection is closed, HTTP/2": { ...http2, endsIdle: true },
};

/** What a caller sees of a call. */
async function outcomeOf(call: () => Promise<{ id?: unknown; note?: unknown }>): Promise<unknown> {
  try {
    const { id, note } = await call();
    return [id, String(note).length];
  } catch (error) {
    if (!(error instanceof CallError)) return error;
    const { name, retryable, mayHaveBeenProcessed, attempts } = error;
    return { name, retryable, mayHaveBeenProcessed, attempts };
  }
}

/** Does one call of each kind. */
async function play(row: Row, fleet: FleetClient, service: Service) {
  const settle = async (): Promise<void> => (row.endsIdle === true ? service.closeIdle() : undefined);
  const get = await outcomeOf(() => fleet.vehicles.get("large"));
  await settle();
  const post = await outcomeOf(() => fleet.vehicles.create({ plateNumber: "done" }));
  await settle();
  const lost = await outcomeOf(() => fleet.vehicles.create({ plateNumber: "lost" }));
  await settle();
  const controller = new AbortController();
  const events = [service.next("stalled"), service.next("closed")] as const;
  const aborted = outcomeOf(() => fleet.vehicles.get("stalled", { signal: controller.signal }));
  await events[0];
  controller.abort("enough");
  const abort = await aborted;
  await events[1];
  return { get, post, lost, abort };
}

const table: string[] = [];
afterAll(
  () =>
    void process.stdout.write(
      `\nrequests that the service saw: GET, POST, lost POST, abort\n${table.join("\n")}\n`,
    ),
);

describe.each(Object.entries(rows))("%s", (name, row) => {
  it.each(transports)("%s", async (transport, open) => {
    for (const [variable, value] of Object.entries(row.environment?.() ?? {})) vi.stubEnv(variable, value);
    const connection = row.connection?.() ?? {};
    const secured = row.protocol === "http" ? {} : { ca: certificates.authority.cert };
    const opened = open({ ...connection, connect: { ...secured, ...connection.connect } });
    if (opened === undefined)
      return void table.push(`${name.padEnd(38)} ${transport.padEnd(24)} not offered`);
    const actual = await run(row, opened);
    const { requests, outcomes, service } = actual;
    expect(outcomes).toEqual({
      get: ["large", 1_000_000],
      post: ["done", 0],
      lost: { name: "ConnectionError", retryable: false, mayHaveBeenProcessed: true, attempts: 1 },
      abort: "enough",
    });
    const { gets = 1, version = "1.1", isProxied = false, hasClientCertificate = false } = row;
    expect(requests).toEqual([gets, 1, 1, 1]);
    expect([...service.versions]).toEqual([version]);
    expect([...service.clients]).toEqual([hasClientCertificate ? "a client" : "none"]);
    expect(actual.isProxied).toBe(isProxied);
    table.push(`${name.padEnd(38)} ${transport.padEnd(24)} ${requests.join(" ")}`);
  });
});

async function run(row: Row, { options, close }: NonNullable<ReturnType<Open>>) {
  const service = await new Service({
    protocol: row.protocol,
    certificate: certificates.server,
    clientAuthority: row.hasClientCertificate === true ? certificates.authority.cert : undefined,
    respond: row.respond ?? responses.plain,
    loss: row.loss,
  }).listen();
  try {
    const fleet = new FleetClient({
      baseUrl: service.urlAt("localhost"),
      key: `acme_${"0".repeat(64)}`,
      retry: { limit: 2, maxDelay: 1 },
      ...options,
    });
    const outcomes = await play(row, fleet, service);
    const names = ["GET large", "POST done", "POST lost", "GET stalled"];
    const requests = names.map((wanted) => service.requests[wanted] ?? 0);
    const isProxied = proxy.targets.has(new URL(service.urlAt("localhost")).host);
    return { outcomes, requests, service, isProxied };
  } finally {
    await service.close();
    await close();
  }
}

describe("a body of 3 MB in chunks of one byte", () => {
  it.each(transports)("needs less than 150 MB over %s", async (_, open) => {
    const { options, close } = open({}) ?? { options: {}, close: async () => {} };
    const text = JSON.stringify({ data: { id: "1", note: "x".repeat(3_000_000) } });
    const respond: Respond = (reply, status) => responses.bytes(reply, status, text);
    const service = await new Service({
      protocol: "http",
      certificate: certificates.server,
      respond,
    }).listen();
    try {
      const key = `acme_${"0".repeat(64)}`;
      const fleet = new FleetClient({ baseUrl: service.urlAt("localhost"), key, ...options });
      const used = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
      const before = used();
      let most = before;
      const sampling = setInterval(() => void (most = Math.max(most, used())), 5);
      const { note } = (await fleet.vehicles.get("1")) as { note?: unknown };
      clearInterval(sampling);
      expect(String(note)).toHaveLength(3_000_000);
      expect((most - before) / 1e6).toBeLessThan(150);
    } finally {
      await service.close();
      await close();
    }
  });
});
