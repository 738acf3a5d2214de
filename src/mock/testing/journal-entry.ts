import type { Redactor } from "../../wire/redaction.ts";
import type { Issue } from "../http/api-response.ts";
import type { FaultKind } from "../http/faults.ts";
import type { JournalRecord, ResponseRecord } from "./journal-records.ts";
import { parseQuery, splitTarget } from "../http/query.ts";
import { redactHeaders, redaction } from "../http/redaction.ts";
import { type RequestView, bodyValue, joinHeaders } from "../http/request-view.ts";

/** A response in the journal. */
export interface JournalResponse {
  status: number;
  headers: Record<string, string>;
  /** The parsed JSON; a string if the body is not JSON, `undefined` if there is no body. */
  body: unknown;
  /** The size of a body that the journal did not keep, in characters; `body` is `undefined` then. */
  omittedBody?: number;
}

/** One request in the journal. It never contains a token or a key. */
export interface JournalEntry<Operation extends string = string, Base extends string = string> {
  /** `null` if no operation has this path and method. */
  operation: Operation | null;
  base: Base;
  method: string;
  /** Path below the base, without the query. */
  path: string;
  query: Record<string, string | string[]>;
  /** The headers with lower-case names, and without secrets. */
  headers: Record<string, string>;
  /** The parsed JSON; a string if the body was not JSON, `undefined` if there was no body. */
  body: unknown;
  /** The size of a body that was too large for the journal, in characters; `body` is `undefined` then. */
  omittedBody?: number;
  /** `null` if a fault replaced the response. */
  status: number | null;
  /** The response that the server sent; `null` if a fault replaced it. */
  readonly response: JournalResponse | null;
  /** When the request arrived, by the server's clock. */
  at: string;
  fault?: FaultKind;
  /** The IDs of the overrides that applied, as `ref.on(…).ids` returns them. */
  overrides?: readonly number[];
}

/** A request that violated the contract, with its issues. */
export interface ViolationEntry<Operation extends string = string, Base extends string = string>
  extends JournalEntry<Operation, Base> {
  issues: Issue[];
}

type Redact = (text: string) => string;

export function entryOf<Operation extends string, Base extends string>(
  record: JournalRecord<Operation, Base>,
  known: Redactor,
): JournalEntry<Operation, Base> {
  const redact = redaction(known, record.presented);
  const [path, query] = splitTarget(redact(record.target));
  const { operation, base, method, body, response, omittedBody, fault, overrides } = record;
  const entry = {
    operation,
    base,
    method,
    path,
    query: { ...parseQuery(query) },
    headers: redactHeaders(joinHeaders(record.headers), redact),
    body: bodyValue(body === undefined ? undefined : redact(body)),
    status: response?.status ?? null,
    at: new Date(record.at).toISOString(),
    ...(omittedBody !== undefined && { omittedBody }),
    ...(fault !== undefined && { fault }),
    ...(overrides !== undefined && { overrides }),
  };
  const copied = response === null ? null : { ...response }; // the journal may release its body later
  return withResponse(entry, () => responseOf(copied, redact));
}

export function issuesOf({ issues, presented }: JournalRecord, known: Redactor): Issue[] {
  const redact = redaction(known, presented);
  return issues.map((issue) => ({ ...issue, path: redact(issue.path), message: redact(issue.message) }));
}

/** Returns the view of a record for matchers: its entry, with path parameters. */
export function recordView(record: JournalRecord, entry: JournalEntry, known: Redactor): RequestView {
  const redact = redaction(known, record.presented);
  const params = Object.entries(record.params).map(([name, value]) => [name, redact(value)] as const);
  const { operation, base, method, query, headers, body } = entry;
  return { operation: operation ?? "", base, method, path: Object.fromEntries(params), query, headers, body };
}

/** Adds a response that is redacted and parsed when it is read: the bodies of lists are large. */
function withResponse<Entry extends object>(
  entry: Entry,
  read: () => JournalResponse | null,
): Entry & { readonly response: JournalResponse | null } {
  let response: JournalResponse | null | undefined;
  const get = () => (response === undefined ? (response = read()) : response);
  Object.defineProperty(entry, "response", { enumerable: true, configurable: true, get });
  return entry as Entry & { readonly response: JournalResponse | null }; // defined above
}

function responseOf(response: ResponseRecord | null, redact: Redact): JournalResponse | null {
  if (response === null) return null;
  const { status, headers, body, omittedBody } = response;
  return {
    status,
    headers: redactHeaders(headers, redact),
    body: bodyValue(body === null ? undefined : redact(body)),
    ...(omittedBody !== undefined && { omittedBody }),
  };
}
