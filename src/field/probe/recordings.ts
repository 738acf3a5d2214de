import { secretsIn } from "../../wire/credentials.ts";
import { ProbeOptionError } from "./failures.ts";
import { type JsonObject, isObject, objectOf, objectsIn, parseJson } from "../../wire/json.ts";

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
 * Parses the records of an NDJSON log. Lines that are not records of this version are left out, and so are, unless
 * `withOmitted`, records whose body is missing: an absent body would be evidence of an empty one.
 */
export function readTrafficLog(text: string, { withOmitted = false } = {}): Recorded[] {
  const lines = text.split("\n").map((line) => parseJson(line));
  const records = lines.filter(isRecord);
  if (records.length === 0 && text.trim() !== "")
    throw new ProbeOptionError("The file is not a log of shelfleet proxy");
  return records.filter(({ omitted }) => withOmitted || omitted === undefined).map(recordedOf);
}

interface LogLine extends JsonObject {
  readonly method: string;
  readonly url: string;
  readonly status: number;
}

function isRecord(value: unknown): value is LogLine {
  if (!isObject(value)) return false;
  const { v = 1, method, url, status } = value;
  return v === 1 && typeof method === "string" && typeof url === "string" && typeof status === "number";
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
