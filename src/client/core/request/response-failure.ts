// Loaded with the first response that is an error or violates the contract.
import { parseRedacted } from "../../../wire/redact-json.ts";
import { type ApiError, type ResponseDetails, UnexpectedResponseError } from "../errors/response-errors.ts";
import type { Issue } from "../errors/issue.ts";
import { type FailedResponse, notJson } from "./content.ts";
import { lostWrite } from "./retry.ts";
import type { BufferedResponse, ReadConfig, ResponseHead, Run } from "./run.ts";
import { isRedirect } from "./url.ts";

/** The largest part of a body that is not JSON in an `ApiError`. */
const maxErrorText = 64 * 1024;

/** The largest part of a body in an `UnexpectedResponseError`. */
const maxSnippet = 1024;

const decoder = new TextDecoder();

/** Creates the error for a response that violates the contract. */
export function unexpectedResponse(
  { run, buffered, clean }: FailedResponse,
  description: string,
  issues: readonly Issue[] = [],
): UnexpectedResponseError {
  const text = decoder.decode(buffered.bytes.subarray(0, 8 * maxSnippet));
  const guess = description === notJson ? `: ${guessContent(text)}` : "";
  const details = responseDetails({ run, buffered, clean });
  const location = clean(locationOf(buffered.head) ?? "") || undefined;
  const hint = mayBeDone(run, buffered) ? ` (${lostWrite})` : "";
  const summary = `${run.spec.label}: ${buffered.status} ${description}${guess}`;
  const error = new UnexpectedResponseError(clean(summary) + hint, {
    ...details,
    body: clean(text).slice(0, maxSnippet), // the cut cannot leave a part of a secret
    location: buffered.status < 300 ? undefined : location,
    issues: issues.map(({ path, message }) => ({ path: clean(path), message: clean(message) })),
  });
  // of `fetch`: other methods have an `ApiError` then
  return buffered.status > 399 && run.retryable ? Object.assign(error, { retryable: true }) : error;
}

/** Whether a write that is not repeated may have been processed, although its response violates the contract. */
function mayBeDone({ spec }: Run, { status }: BufferedResponse): boolean {
  return (
    spec.retryClass !== "idempotent" && (status < 300 || status === 303 || (status > 499 && status !== 501))
  );
}

/** Creates the error for a response that does not match a schema. */
export function schemaMismatch(
  failed: FailedResponse,
  issues: readonly Issue[],
  to: "contract" | "shape" = "contract",
): UnexpectedResponseError {
  const whole = to === "contract" ? "the body" : "the value";
  const words = issues.slice(0, 5).map(({ path, message }) => `${path || whole}: ${message}`);
  const more = issues.length > 5 ? ` (and ${issues.length - 5} more)` : "";
  return unexpectedResponse(failed, `does not fit the ${to}: ${words.join("; ")}${more}`, issues);
}

function responseDetails({ run, buffered: { status, head }, clean }: FailedResponse): ResponseDetails {
  const { method, route } = run.spec;
  const { attempts, url } = run;
  return { status, method, route, attempts, url: clean(url), headers: cleanHeaders(head.headers, clean) };
}

/** Returns the headers without secrets and cookies; `JSON.stringify` writes them as an object. */
export function cleanHeaders(headers: Headers, clean: (text: string) => string): Headers {
  const cleaned = new Headers();
  for (const [name, value] of headers) {
    if (name === "set-cookie") continue;
    cleaned.append(clean(name) === name ? name : "x-redacted", clean(withoutUsers(value)));
  }
  const toJSON = (): Record<string, string> => Object.fromEntries(cleaned);
  return Object.defineProperty(cleaned, "toJSON", { value: toJSON });
}

/** Creates the error for a response with the status of an error, or with a status that the contract does not have. */
export async function statusError(
  { adapter, secret: { redactor } }: Pick<ReadConfig, "adapter" | "secret">,
  buffered: BufferedResponse,
  run: Run,
): Promise<ApiError | UnexpectedResponseError> {
  const failed = { run, buffered, clean: (text: string): string => redactor.redact(text) };
  if (buffered.status < 400) return unexpectedResponse(failed, describeStatus(failed));
  const text = decoder.decode(buffered.bytes);
  const json = parseRedacted(text, redactor);
  // redaction takes 0.4 s for 1 MiB
  const body =
    json === undefined ? redactor.redact(text.slice(0, 2 * maxErrorText)).slice(0, maxErrorText) : json;
  const details = responseDetails(failed);
  const earlier = run.mayHaveExecuted
    ? describeEarlierAttempt(run, buffered)
    : describeLostWrite(run, buffered);
  const hints = [run.obstacle, earlier].filter((hint) => hint !== undefined);
  return adapter.error(run.spec.operation.id, {
    ...details,
    body,
    hint: hints.join("; ") || undefined,
    retryable: run.retryable,
  });
}

/** A failure of the service does not show if a write was executed. */
function describeLostWrite({ spec }: Run, { status }: BufferedResponse): string | undefined {
  return spec.retryClass === "idempotent" || status < 500 || status === 501 ? undefined : lostWrite;
}

/** A rejected request does not show if an earlier attempt of a write was executed. */
function describeEarlierAttempt(
  { spec: { method }, attempts }: Run,
  { status }: BufferedResponse,
): string | undefined {
  const isDelete = method === "DELETE" && (status === 404 || status === 410);
  if (!isDelete && (method === "GET" || method === "DELETE" || status >= 500)) return undefined;
  const done = isDelete ? "deleted it" : "been processed";
  return `sent ${attempts} times; an earlier attempt, whose response was lost, may have ${done}`;
}

function describeStatus({ buffered: { status, head }, clean }: FailedResponse): string {
  if (status === 304) return "Not Modified, although the request was not conditional";
  if (!isRedirect(status)) return "is not a status of the contract";
  const location = locationOf(head);
  return `is a redirect${location === undefined ? "" : ` to ${clean(location)}`}, which is not followed`;
}

/** Returns the target of a redirect. */
function locationOf({ headers }: ResponseHead): string | undefined {
  const location = headers.get("location");
  return location === null ? undefined : withoutUsers(location);
}

/** Removes the user names and passwords of URLs. */
function withoutUsers(text: string): string {
  return text.replaceAll(/\/\/[^/?#<>]*@/g, "//");
}

function guessContent(text: string): string {
  if (/^\s*</.test(text)) return "it looks like HTML, from a proxy or a wrong base URL";
  return /^\s*[[{]/.test(text) ? "it begins like JSON and may be cut short" : "see the error's body";
}
