import { ApiError, type ApiErrorDetails, UnexpectedResponseError } from "./errors.ts";
import { isObject, type JsonObject, parseJson, renameMembers } from "./json.ts";
import { redact, redacter } from "./redaction.ts";
import { snippet } from "./secret.ts";
import type { AnswerContext } from "./shape.ts";
import type { Answered, Outgoing } from "./transport.ts";

/** What tells one API's answers from another's. */
export interface Dialect {
  /** Takes the data out of the answer to a `method`, or says what the answer lacks. */
  open(json: JsonObject, method: string): { data: unknown; meta?: JsonObject } | string;
  /** The API's own error for an error status. `details.body` may be anything. */
  error(operation: string, details: ApiErrorDetails): ApiError | Promise<ApiError>;
  /** The error statuses that the contract documents. */
  documented: ReadonlySet<number>;
}

/** A success answer as JSON; null where a DELETE was answered with nothing. */
export interface Content extends AnswerContext {
  /** The operation's id in the OpenAPI document. */
  operation: string;
  json: JsonObject | null;
  /** The text that the JSON was parsed from. */
  text: string;
  response: Response;
}

/** An answer that a list's page is read from. */
export type ListContent = Content & { json: JsonObject };

const longestBody = 64 * 1024;

/** Sorts an answer: JSON of a success at once, or else an error of the tree, whatever the body is. */
export function readAnswer(out: Outgoing, answered: Answered, dialect: Dialect): Content | Promise<never> {
  const { response, status, text, secret } = answered;
  if (status >= 400) return throwError(out, answered, dialect);
  const context = {
    operation: out.operation,
    doing: `${out.method} ${out.route}`,
    status,
    clean: redacter(secret),
  };
  const unexpected = (what: string, location?: string): UnexpectedResponseError =>
    new UnexpectedResponseError(`${context.doing}: ${status} ${what}`, {
      status,
      body: snippet(text, context.clean),
      location,
    });
  if (status < 200 || status > 299) throw redirected(unexpected, response, context.clean);
  if (text.trim() === "") {
    if (out.method === "DELETE") return { ...context, json: null, text, response };
    throw unexpected("with an empty body where JSON is due");
  }
  const json = parseJson(text);
  if (json === undefined) throw unexpected(`with a body that is not JSON: ${looksLike(text)}`);
  if (!isObject(json)) throw unexpected("with JSON that is not an object");
  return { ...context, json, text, response };
}

/** An answer for whoever reads it on: a success that is JSON, or a documented error. What else it is, is thrown. */
export async function passAnswer(out: Outgoing, answered: Answered, dialect: Dialect): Promise<Response> {
  const { response, status, text } = answered;
  try {
    await readAnswer(out, answered, dialect);
    return new Response(text === "" ? null : text, { status, headers: response.headers });
  } catch (error) {
    if (!(error instanceof ApiError && dialect.documented.has(status))) throw error;
    const { body, headers } = error;
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
  }
}

function redirected(
  unexpected: (what: string, location?: string) => UnexpectedResponseError,
  response: Response,
  clean: (text: string) => string,
): UnexpectedResponseError {
  const location = clean(response.headers.get("location") ?? "") || undefined;
  const target = location === undefined ? "" : ` to ${location}`;
  return unexpected(`is a redirect${target}, which is not followed`, location);
}

async function throwError(out: Outgoing, answered: Answered, dialect: Dialect): Promise<never> {
  const { response, status, text, attempts, secret, url } = answered;
  const { method, route, operation } = out;
  const headers = cleanHeaders(response.headers, secret);
  const json = cleanJson(text, secret);
  const body = json === undefined ? redact(text, secret).slice(0, longestBody) : json;
  const hint = out.method === "DELETE" ? mayBeDone(answered) : undefined;
  throw await dialect.error(operation, { status, method, route, url, headers, attempts, body, hint });
}

function cleanHeaders(headers: Headers, secret: string): Headers {
  const cleaned = new Headers();
  for (const [name, value] of headers) if (name !== "set-cookie") cleaned.append(name, redact(value, secret));
  return cleaned;
}

/** A body's JSON without the secret in any of its texts and names. */
function cleanJson(text: string, secret: string): unknown {
  const clean = redacter(secret);
  return parseJson(text, (_, value) => {
    if (typeof value === "string") return clean(value);
    return isObject(value) ? renameMembers(value, clean) : value;
  });
}

function mayBeDone({ status, attempts, unsure }: Answered): string | undefined {
  return status === 404 && unsure
    ? `sent ${attempts} times; an earlier attempt, whose answer was lost, may have deleted it`
    : undefined;
}

function looksLike(text: string): string {
  if (/^\s*</.test(text)) return "it looks like HTML, from a proxy or a wrong base address";
  return /^\s*[[{]/.test(text) ? "it begins like JSON and may be cut short" : "see the error's body";
}
