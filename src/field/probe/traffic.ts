import { fleetBasePath } from "../../../generated/fleet.operations.ts";
import { parseRedacted } from "../../wire/redact-json.ts";
import { type Redactor, redactorOf } from "../../wire/redaction.ts";
import { plainQuery } from "../plain-query.ts";
import { notify } from "./engine.ts";
import { Investigation } from "./investigation.ts";
import { Creations, type Exchange, isEvidence } from "./exchange.ts";
import { experiments } from "./experiments/catalog.ts";
import { ProbeOptionError } from "./failures.ts";
import { apiOf } from "./gap.ts";
import { omitUndefined } from "../../wire/names.ts";
import type { Recorded, RecordedPlace } from "./recordings.ts";
import { type Evidence, type ProbeReport, citedBy, findingsOf, readingsIn, toEvidence } from "./report.ts";
import { findRoute } from "../routes.ts";
import type { JsonSchema } from "./shapes/count.ts";
import { ShapeCounts } from "./shapes/entities.ts";
import { MAX_TEXT_LENGTH } from "./service.ts";

/** The options of `probeTraffic`. */
export interface TrafficOptions {
  /** The base URLs of the services, as in the records. */
  readonly storeUrl?: string;
  readonly fleetUrl?: string;
  readonly sandboxUrl?: string;
  readonly only?: readonly string[];
}

/**
 * Finds out readings from recorded traffic; sends nothing.
 *
 * @throws {ProbeOptionError} if the records are of several services with one API, which may have different readings
 */
export function probeTraffic(records: readonly Recorded[], options: TrafficOptions): ProbeReport {
  checkOrigins(records, options);
  const isWanted = (gap: string): boolean => options.only?.includes(gap) ?? true;
  const investigations = experiments
    .filter(({ gap }) => isWanted(gap))
    .map((experiment) => new Investigation(experiment));
  const redactor = redactorOf(records.flatMap(({ secrets = [] }) => secrets));
  const creations = new Creations();
  const exchanges = records
    .flatMap((record) => exchangeOf(record, options, redactor) ?? [])
    .map((exchange, index) => creations.mark({ ...exchange, n: index + 1, connection: index + 1 }));
  for (const exchange of exchanges) notify(investigations, exchange);
  const apis = new Set(exchanges.map(({ api }) => api));
  const findings = findingsOf(
    investigations,
    new Set(["passive"]),
    (gap) => apis.has(apiOf(gap)) && isWanted(gap),
  );
  const { storeUrl, fleetUrl, sandboxUrl } = options;
  return {
    version: 1,
    probedAt: new Date().toISOString(),
    services: omitUndefined({ store: storeUrl, fleet: fleetUrl, sandbox: sandboxUrl }),
    readings: readingsIn(findings),
    findings,
    requests: { total: 0, writes: 0 },
    shapes: shapesIn(exchanges),
    evidence: citedBy(
      findings,
      exchanges.map((exchange) => recordedEvidence(exchange, redactor)),
    ),
  };
}

/** Returns the evidence of an exchange, without secrets and personal data in its path and query. */
function recordedEvidence(exchange: Exchange, redactor: Redactor): Evidence {
  const pairs = Object.entries(exchange.query).map(([name, value]) => [name, String(value)] as const);
  const query = Object.fromEntries(plainQuery(pairs, () => "redacted"));
  const { request, ...evidence } = toEvidence({ ...exchange, query });
  return { ...evidence, request: redactor.redact(request) };
}

function shapesIn(exchanges: readonly Exchange[]): Record<string, JsonSchema> {
  const shapes = new ShapeCounts();
  for (const exchange of exchanges) shapes.add(exchange);
  return shapes.schemas();
}

function checkOrigins(records: readonly Recorded[], options: TrafficOptions): void {
  const origins = new Map<string, Set<string>>();
  for (const record of records) {
    const as = placeOf(record, options)?.as;
    if (as !== undefined) origins.set(as, (origins.get(as) ?? new Set()).add(new URL(record.url).origin));
  }
  for (const [as, urls] of origins)
    if (urls.size > 1)
      throw new ProbeOptionError(`The file has requests to several ${as} services: ${[...urls].join(", ")}`);
}

/** Returns the exchange of a record; `undefined` if it belongs to no operation. */
function exchangeOf(record: Recorded, options: TrafficOptions, redactor: Redactor): Exchange | undefined {
  const { method, url, status, contentType, body } = record;
  const place = placeOf(record, options);
  if (place === undefined) return undefined;
  const { searchParams } = new URL(url);
  const json = parseRedacted(body, redactor);
  const route = findRoute(place.api, method, place.path);
  if (route.operation === undefined) return undefined;
  return {
    n: 0,
    failures: 0,
    connection: 0,
    ...place,
    method,
    query: Object.fromEntries(searchParams),
    ...route,
    version: undefined,
    status,
    text: redactor.redact(body.trimStart().slice(0, MAX_TEXT_LENGTH)),
    size: body.length,
    json,
    isEvidence: isEvidence(place.api, { method, status, contentType, text: body, json }),
  };
}

/** Returns the service of a record: the one with the given base URL, the one that the record names, or the one with this path. */
function placeOf(
  { url: recorded, place }: Recorded,
  { storeUrl, fleetUrl, sandboxUrl }: TrafficOptions,
): RecordedPlace | undefined {
  if (!URL.canParse(recorded)) return undefined;
  const { origin, pathname } = new URL(recorded);
  const recordedUrl = origin + pathname;
  const bases = [
    ["store", "store", storeUrl],
    ["fleet", "fleet", fleetUrl],
    ["fleet", "sandbox", sandboxUrl],
  ] as const;
  for (const [api, as, url] of bases) {
    const base = url?.replace(/\/+$/, "");
    if (base !== undefined && recordedUrl.startsWith(`${base}/`))
      return { api, as, path: recordedUrl.slice(base.length) };
  }
  if (bases.some(([, , url]) => url !== undefined)) return undefined;
  if (place !== undefined) return place;
  const fleet = new RegExp(`${fleetBasePath}(/.*)$`).exec(recordedUrl)?.[1];
  if (fleet !== undefined) return { api: "fleet", as: "fleet", path: fleet };
  const store = /^https?:\/\/[^/]+(?:\/.*)?(\/v1\/(?:stores|fill-rate)(?:\/.*)?)$/.exec(recordedUrl)?.[1];
  return store === undefined ? undefined : { api: "store", as: "store", path: store };
}
