import { type ApiError, type ApiErrorDetails, UnexpectedResponseError } from "./errors.ts";
import { isObject, type JsonObject } from "./json.ts";
import { redact } from "./secret.ts";
import type { AnswerContext } from "./shape.ts";
import type { Answered, Outgoing } from "./transport.ts";

/** What tells one API's answers from another's. */
export interface Dialect {
  /** Takes the data out of a success envelope, or says what the envelope lacks. */
  open(json: JsonObject): { data: unknown; meta?: JsonObject } | string;
  /** The API's own error for an error status. `details.body` may be anything. */
  error(operation: string, details: ApiErrorDetails): ApiError;
  /** The error statuses that the contract documents. */
  documented: ReadonlySet<number>;
}

/** A success answer as JSON; null where a DELETE was answered with nothing. */
export interface Content extends AnswerContext {
  json: JsonObject | null;
  /** The text that the JSON was parsed from. */
  text: string;
  response: Response;
}

/** An answer that a list's page is read from. */
export type ListContent = Content & { json: JsonObject };

const longestBody = 64 * 1024;
const snippet = 1024;

/** Sorts an answer: JSON of a success, or else an error of the tree, whatever the body is. */
export function readAnswer(out: Outgoing, answered: Answered, dialect: Dialect): Content {
  const { response, text, secret } = answered;
  const { status } = response;
  if (status >= 400) throw readError(out, answered, dialect);
  const context = {
    doing: `${out.method} ${out.route}`,
    status,
    clean: (dirty: string) => redact(dirty, secret),
  };
  const unexpected = (what: string, location?: string): UnexpectedResponseError =>
    new UnexpectedResponseError(`${context.doing}: ${status} ${what}`, {
      status,
      body: context.clean(text.slice(0, snippet)),
      location,
    });
  if (!response.ok) throw redirected(unexpected, response, context.clean);
  if (text.trim() === "") {
    if (out.method === "DELETE") return { ...context, json: null, text, response };
    throw unexpected("with an empty body where JSON is due");
  }
  const json = parse(text);
  if (json === undefined) throw unexpected(`with a body that is not JSON: ${looksLike(text)}`);
  if (!isObject(json)) throw unexpected("with JSON that is not an object");
  return { ...context, json, text, response };
}

/** An answer for whoever reads it on: a success that is JSON, or a documented error. What else it is, is thrown. */
export function passAnswer(out: Outgoing, answered: Answered, dialect: Dialect): Response {
  const { response, text } = answered;
  const { status, headers } = response;
  if (!dialect.documented.has(status)) readAnswer(out, answered, dialect);
  return new Response(text === "" ? null : text, { status, headers });
}

function redirected(
  unexpected: (what: string, location?: string) => UnexpectedResponseError,
  response: Response,
  clean: (text: string) => string,
): UnexpectedResponseError {
  const location = clean(response.headers.get("location") ?? "") || undefined;
  return unexpected(
    `is a redirect${location === undefined ? "" : ` to ${location}`}, which is not followed here`,
    location,
  );
}

function readError(
  out: Outgoing,
  { response, text, attempts, secret, url }: Answered,
  dialect: Dialect,
): ApiError {
  const clean = redact(text, secret);
  const json = parse(clean, (_, value: unknown) =>
    typeof value === "string" ? redact(value, secret) : value,
  );
  const headers = new Headers();
  for (const [name, value] of response.headers)
    if (name !== "set-cookie") headers.append(name, redact(value, secret));
  const { method, route, operation } = out;
  const error = dialect.error(operation, {
    ...{ status: response.status, method, route, url, headers, attempts },
    body: json === undefined ? clean.slice(0, longestBody) : json,
    hint: mayBeDone(method, response.status, attempts),
  });
  return error;
}

function mayBeDone(method: string, status: number, attempts: number): string | undefined {
  const lost = method === "DELETE" && status === 404 && attempts > 1;
  return lost
    ? `sent ${attempts} times; an earlier attempt, whose answer was lost, may have deleted it`
    : undefined;
}

function parse(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}

function looksLike(text: string): string {
  if (/^\s*</.test(text)) return "it looks like HTML, from a proxy or a wrong base address";
  return /^\s*[[{]/.test(text) ? "it begins like JSON and may be cut short" : "see the error's body";
}
