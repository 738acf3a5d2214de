import { fleetBasePath } from "../../../generated/fleet.operations.ts";
import { secretsIn } from "../../wire/credentials.ts";
import { type Redactor, redactorOf } from "../../wire/redaction.ts";
import { plainQuery } from "../plain-query.ts";
import { notify } from "./engine.ts";
import { Investigation } from "./investigation.ts";
import { type Exchange, isEvidence } from "./exchange.ts";
import { experiments } from "./experiments/catalog.ts";
import { ProbeOptionError } from "./failures.ts";
import { apiOf } from "./gap.ts";
import { type JsonObject, isObject, objectOf, objectsIn, parseJson } from "./json.ts";
import { type Evidence, type ProbeReport, citedBy, findingsOf, readingsIn, toEvidence } from "./report.ts";
import { findRoute } from "../routes.ts";
import type { JsonSchema } from "./shapes/count.ts";
import { ShapeCounts } from "./shapes/entities.ts";
import { MAX_TEXT_LENGTH } from "./service.ts";

/** A recorded request and its response, in the log format of `shelfleet proxy`. */
export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** The secrets of the request, which the report does not show. */
  readonly secrets?: readonly string[];
  /** The service of the record, if the record names it. */
  readonly place?: RecordedPlace;
}

/** The service of a recorded request. */
export interface RecordedPlace {
  readonly api: "store" | "fleet";
  /** The name of the service: `store`, `fleet` or `sandbox`. */
  readonly as: string;
  /** The path and query below the base URL. */
  readonly path: string;
}

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
  const investigations = experiments.filter(({ gap }) => isWanted(gap)).map((one) => new Investigation(one));
  const redactor = redactorOf(records.flatMap(({ secrets = [] }) => secrets));
  const exchanges = records
    .flatMap((record) => exchangeOf(record, options, redactor) ?? [])
    .map((one, at) => ({ ...one, n: at + 1, connection: at + 1 }));
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
    services: {
      ...(storeUrl !== undefined && { store: storeUrl }),
      ...(fleetUrl !== undefined && { fleet: fleetUrl }),
      ...(sandboxUrl !== undefined && { sandbox: sandboxUrl }),
    },
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
  const json = redactor.parseJson(body);
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

/** Parses the records of a HAR file. @throws {ProbeOptionError} if it is not a HAR file */
export function readHar(text: string): Recorded[] {
  const log = objectOf(objectOf(parseJson(text)).log);
  if (!Array.isArray(log.entries))
    throw new ProbeOptionError("The file is not a HAR file: it has no log.entries");
  return objectsIn(log.entries).map(({ request, response }) => {
    const content = objectOf(objectOf(response).content);
    const body = textOf(content.text);
    return {
      method: String(objectOf(request).method),
      url: String(objectOf(request).url),
      status: Number(objectOf(response).status),
      contentType: textOf(content.mimeType),
      body: content.encoding === "base64" ? decodeBase64(body) : body,
      secrets: [...secretsOf(objectOf(request)), ...secretsOf(objectOf(response))],
    };
  });
}

/** Query parameters whose values are secrets. */
const SECRET_PARAMETER = /(?:token|key|secret|password|code|signature|sig)$/i;

/** Returns the secrets in headers, cookies, the URL and the form of a request or a response. */
function secretsOf({ headers, cookies, url, postData }: JsonObject): string[] {
  const inHeaders = objectsIn(headers).flatMap(({ name, value }) =>
    secretsIn({ [textOf(name)]: textOf(value) }),
  );
  const inCookies = objectsIn(cookies).flatMap(({ value }) => secretsIn({ cookie: `name=${textOf(value)}` }));
  const { password = "", searchParams = [] } = URL.canParse(textOf(url)) ? new URL(textOf(url)) : {};
  const fields = objectsIn(objectOf(postData).params).map(
    ({ name, value }) => [textOf(name), textOf(value)] as const,
  );
  const inParameters = [...searchParams, ...fields].flatMap(([name, value]) =>
    SECRET_PARAMETER.test(name) ? [value] : [],
  );
  return [...inHeaders, ...inCookies, password, ...inParameters];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function decodeBase64(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return "";
  }
}

/**
 * Parses the records of an NDJSON log. Lines that are not records are left out, and so are records whose body is
 * missing: an absent body would be evidence of an empty one.
 */
export function readTrafficLog(text: string): Recorded[] {
  const lines = text.split("\n").map((line) => parseJson(line));
  const records = lines.filter(isRecord);
  if (records.length === 0 && text.trim() !== "")
    throw new ProbeOptionError("The file is not a log of shelfleet proxy");
  return records.filter(({ omitted }) => omitted === undefined).map(recordedOf);
}

interface LogLine extends JsonObject {
  readonly method: string;
  readonly url: string;
  readonly status: number;
}

function isRecord(value: unknown): value is LogLine {
  if (!isObject(value)) return false;
  const { method, url, status } = value;
  return typeof method === "string" && typeof url === "string" && typeof status === "number";
}

function recordedOf(line: LogLine): Recorded {
  const { method, url, status, contentType = "application/json", body } = line;
  const text = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
  const place = recordedPlace(line);
  return { method, url, status, contentType: textOf(contentType), body: text, ...(place && { place }) };
}

/** The services that a log names. */
const SERVICE = /^(?:store|fleet|sandbox)$/;

function recordedPlace({ api, service, path }: LogLine): RecordedPlace | undefined {
  if ((api !== "store" && api !== "fleet") || typeof path !== "string") return undefined;
  return { api, as: SERVICE.test(textOf(service)) ? textOf(service) : api, path };
}
