import * as z from "zod/mini";
import { escapeLine } from "../../wire/foreign-text.ts";
import {
  type Base,
  bodyValue,
  type Issue,
  joinHeaders,
  parseQuery,
  type RequestHeaders,
  type RequestView,
  splitTarget,
} from "../server/exchange.ts";
import { factsOf, type OperationId } from "../server/operations.ts";
import { describeValue, parse } from "../server/schemas.ts";
import { isSecretHeader, type Redact, redactHeaders, type Secrets } from "../server/secrets.ts";
import type { FaultKind } from "./effects.ts";
import {
  type CompiledMatcher,
  compileMatcher,
  type Difference,
  differences,
  type RequestMatcher,
} from "./matcher.ts";

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
export interface JournalEntry {
  /** `null` if no operation has this path and method. */
  operation: OperationId | null;
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
export interface ViolationEntry extends JournalEntry {
  issues: Issue[];
}

/** Selects requests of the journal. Every given part must match; secrets are already removed. */
export interface JournalMatcher extends RequestMatcher {
  /** Default: any operation. */
  operation?: OperationId | "*" | undefined;
  status?: number | undefined;
}

/** A valid matcher. */
interface CompiledJournalMatcher {
  readonly operation: OperationId | "*";
  readonly status: number | undefined;
  readonly request: CompiledMatcher;
}

/** The options of `expect`. */
export interface ExpectOptions {
  /** The exact number of requests; 0 for none. Default: at least one. */
  times?: number | undefined;
}

/** A request as it is recorded; its strings are redacted and parsed when the journal is read. */
export interface JournalRecord {
  readonly operation: OperationId | null;
  readonly base: Base;
  readonly method: string;
  target: string;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: RequestHeaders;
  body: string | undefined;
  omittedBody?: number;
  /** `null` if a fault replaced the response. */
  readonly response: {
    status: number;
    headers: Record<string, string>;
    body: string | null;
    omittedBody?: number;
  } | null;
  readonly at: number;
  readonly fault: FaultKind | undefined;
  readonly overrides: readonly number[] | undefined;
  readonly issues: readonly Issue[];
}

/** The limits of the journal: its requests, and the bytes of their strings. */
export interface JournalLimits {
  readonly limit: number;
  readonly maxBytes: number;
}

/** The requests of a server. */
export class Journal {
  readonly #limit: number;
  readonly #maxLength: number;
  readonly #secrets: Secrets;
  readonly #records: JournalRecord[] = [];
  /** The number of oldest records whose responses have no body any more. */
  #withoutBody = 0;
  /** The characters of the records. */
  #length = 0;
  /** The number of records that were dropped. */
  #released = 0;

  /** @internal */
  constructor({ limit, maxBytes }: JournalLimits, secrets: Secrets) {
    this.#limit = limit;
    this.#maxLength = maxBytes / 2; // a character takes two bytes
    this.#secrets = secrets;
  }

  /** Returns every request, oldest first. */
  all(): JournalEntry[] {
    return this.#records.map((record) => this.#entry(record));
  }

  /** Returns the requests of one operation, oldest first. */
  of(operation: OperationId): JournalEntry[] {
    factsOf(operation);
    return this.#records
      .filter((record) => record.operation === operation)
      .map((record) => this.#entry(record));
  }

  /**
   * Returns the requests that match, oldest first. Requests to unknown paths are only in `all()`.
   *
   * @example ref.journal.find({ operation: "putStore", path: { externalId: "S-1" }, status: 200 })
   */
  find(matcher: JournalMatcher): JournalEntry[] {
    return this.#found(compileJournalMatcher(matcher));
  }

  /**
   * Returns the requests that match, and throws if their number is not the expected one. The message compares the
   * nearest requests with the expectation.
   *
   * @example ref.journal.expect({ operation: "putStore", body: { name: "New" } }, { times: 1 })
   */
  expect(matcher: JournalMatcher, options: ExpectOptions = {}): JournalEntry[] {
    const { times } = parse(expectSchema, options, "expect");
    const compiled = compileJournalMatcher(matcher);
    const found = this.#found(compiled);
    if (times === undefined ? found.length > 0 : found.length === times) return found;
    throw new Error(this.#secrets.redact(this.#describeFailure(compiled, times, found)));
  }

  /** Returns the requests that violated the contract, oldest first, with their issues. */
  violations(): ViolationEntry[] {
    return this.#records
      .filter(({ issues }) => issues.length > 0)
      .map((record) => {
        const redact = this.#secrets.redactionFor(record.headers);
        const issues = record.issues.map((issue) => ({
          ...issue,
          path: redact(issue.path),
          message: redact(issue.message),
        }));
        return Object.assign(this.#entry(record), { issues });
      });
  }

  /** Removes all requests. */
  clear(): void {
    this.#records.length = 0;
    this.#withoutBody = 0;
    this.#length = 0;
    this.#released = 0;
  }

  /** @internal */
  add(record: JournalRecord): void {
    shorten(record, this.#maxLength / 4);
    this.#records.push(record);
    this.#length += lengthOf(record);
    if (this.#records.length > this.#limit) this.#drop();
    while (this.#length > this.#maxLength && this.#records.length > 0) {
      const oldest = this.#records[this.#withoutBody];
      if (oldest === undefined) this.#drop();
      else {
        this.#length -= oldest.response?.body?.length ?? 0;
        releaseBody(oldest);
        this.#withoutBody += 1;
      }
    }
  }

  #drop(): void {
    const dropped = this.#records.shift();
    if (dropped === undefined) return;
    this.#length -= lengthOf(dropped);
    this.#withoutBody = Math.max(this.#withoutBody - 1, 0);
    this.#released += 1;
  }

  #entry(record: JournalRecord): JournalEntry {
    const redact = this.#secrets.redactionFor(record.headers);
    const [path, query] = splitTarget(redact(record.target));
    const { operation, base, method, body, response, omittedBody, fault, overrides } = record;
    const entry = {
      operation,
      base,
      method,
      path,
      query: { ...parseQuery(query) },
      headers: redactHeaders(joinHeaders(record.headers), redact),
      body: bodyValue(body && redact(body)),
      status: response?.status ?? null,
      at: new Date(record.at).toISOString(),
      ...(omittedBody !== undefined && { omittedBody }),
      ...(fault !== undefined && { fault }),
      ...(overrides !== undefined && { overrides }),
    };
    return withResponse(entry, response && { ...response }, redact); // the journal may release its body later
  }

  #found(matcher: CompiledJournalMatcher): JournalEntry[] {
    return this.#records
      .filter((record) => isOperation(matcher, record))
      .map((record) => ({ record, entry: this.#entry(record) }))
      .filter(({ record, entry }) => differencesOf(matcher, entry, this.#view(record, entry)).next().done)
      .map(({ entry }) => entry);
  }

  /** Returns the view of a record for matchers: its entry, with path parameters. */
  #view({ params, headers: sent }: JournalRecord, entry: JournalEntry): RequestView {
    const redact = this.#secrets.redactionFor(sent);
    const path = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, redact(value)]));
    const { operation, base, method, query, headers, body } = entry;
    return { operation: operation ?? "", base, method, path, query, headers, body };
  }

  /** Explains why an expectation failed: the expected requests, and the differences of the nearest requests. */
  #describeFailure(
    matcher: CompiledJournalMatcher,
    times: number | undefined,
    found: readonly JournalEntry[],
  ): string {
    const wanted =
      times === undefined ? "at least 1 request" : `${times} ${times === 1 ? "request" : "requests"}`;
    const lines = [`Expected ${wanted}, but found ${found.length}:`, ...describeMatcher(matcher)];
    if (this.#records.length === 0) lines.push("The journal has no requests.");
    else if (times !== undefined && found.length > times)
      lines.push("Found requests:", ...listed(found, MAX_REQUESTS, "  ", (entry) => [describeEntry(entry)]));
    else lines.push(...this.#nearest(matcher));
    if (this.#released > 0)
      lines.push(
        `The journal has released ${this.#released} older requests (options journal.limit and journal.maxBytes).`,
      );
    return lines.map(escapeLine).join("\n");
  }

  /** Returns the requests that do not match: first those with the fewest differences, and of these the latest. */
  #nearest(matcher: CompiledJournalMatcher): string[] {
    const same = this.#records.filter((record) => isOperation(matcher, record));
    const compared = (same.length > 0 ? same : this.#records)
      .toReversed()
      .map((record) => {
        const entry = this.#entry(record);
        return { entry, found: [...differencesOf(matcher, entry, this.#view(record, entry))] };
      })
      .filter(({ found }) => found.length > 0)
      .toSorted((a, b) => a.found.length - b.found.length);
    if (compared.length === 0) return ["The journal has no other requests."];
    return [
      "Nearest requests:",
      ...listed(compared, MAX_REQUESTS, "  ", ({ entry, found }) => [
        describeEntry(entry),
        ...listed(found, MAX_DIFFERENCES, "  ", ({ place, expected, received }) => [
          `${place}: expected ${expected}, received ${received}`,
        ]),
      ]),
    ];
  }
}

/** Validates a matcher. Throws an error that names the invalid part. */
function compileJournalMatcher(matcher: JournalMatcher): CompiledJournalMatcher {
  const {
    operation = "*",
    status,
    ...request
  } = parse(z.looseObject({}), matcher, "matcher") as JournalMatcher; // checked below
  parse(z.optional(z.int()), status, "matcher.status");
  const compiled = compileMatcher(request, operation);
  const secret = Object.keys(compiled.summary.headers ?? {}).find(isSecretHeader);
  if (secret !== undefined)
    throw new Error(`matcher.headers.${secret}: the journal does not keep the value of this header`);
  return { operation, status, request: compiled };
}

/** Whether a request belongs to the operation of a matcher; requests to unknown paths belong to none. */
function isOperation(
  matcher: CompiledJournalMatcher,
  { operation }: { operation: OperationId | null },
): boolean {
  return operation !== null && (matcher.operation === "*" || matcher.operation === operation);
}

/** Yields what a request differs in from a matcher. */
function* differencesOf(
  matcher: CompiledJournalMatcher,
  entry: JournalEntry,
  view: RequestView,
): Generator<Difference> {
  if (!isOperation(matcher, entry)) {
    const received = entry.operation ?? "none, because no operation has this path and method";
    yield { place: "operation", expected: matcher.operation, received };
    return;
  }
  if (matcher.status !== undefined && entry.status !== matcher.status) {
    const received = entry.status === null ? "none, because of a fault" : String(entry.status);
    yield { place: "status", expected: String(matcher.status), received };
  }
  yield* differences(matcher.request, view);
}

/** Returns the lines of a message that show a matcher. */
function describeMatcher({ operation, status, request }: CompiledJournalMatcher): string[] {
  const given = Object.entries({ ...request.summary, status }).filter(([, value]) => value !== undefined);
  return [
    `  ${operation === "*" ? "any operation" : operation}`,
    ...given.map(([name, value]) => `    ${name}: ${describeValue(value)}`),
  ];
}

const expectSchema = z.strictObject({ times: z.optional(z.int().check(z.gte(0))) });

/** A single string takes at most a quarter of the journal. */
function shorten(record: JournalRecord, maximum: number): void {
  const { body, target, response } = record;
  if (target.length > maximum) record.target = target.slice(0, 1_000);
  if ((response?.body?.length ?? 0) > maximum) releaseBody(record);
  if (body === undefined || body.length <= maximum) return;
  record.body = undefined;
  record.omittedBody = body.length;
}

function releaseBody({ response }: JournalRecord): void {
  if (response === null || response.body === null) return;
  response.omittedBody = response.body.length;
  response.body = null;
}

/** The characters of a record, and the size of its objects. */
function lengthOf({ target, body, headers, response, issues }: JournalRecord): number {
  let length = 150 + target.length + (body?.length ?? 0) + (response?.body?.length ?? 0);
  for (const name in headers) length += headers[name]?.length ?? 0;
  for (const name in response?.headers) length += response.headers[name]?.length ?? 0;
  for (const { path, message } of issues) length += path.length + message.length + 50;
  return length;
}

/** Adds a response that is redacted and parsed when it is read: the bodies of lists are large. */
function withResponse<Entry extends object>(
  entry: Entry,
  record: JournalRecord["response"],
  redact: Redact,
): Entry & Pick<JournalEntry, "response"> {
  let response: JournalResponse | null | undefined;
  const read = (): JournalResponse | null =>
    record && {
      ...record,
      headers: redactHeaders(record.headers, redact),
      body: bodyValue(record.body && redact(record.body)),
    };
  const get = () => (response === undefined ? (response = read()) : response);
  Object.defineProperty(entry, "response", { enumerable: true, configurable: true, get });
  return entry as Entry & Pick<JournalEntry, "response">; // defined above
}

/** The numbers of requests and of differences per request in a message. */
const MAX_REQUESTS = 3;
const MAX_DIFFERENCES = 8;

/** Characters of a path in a message. */
const MAX_PATH_LENGTH = 200;

function describeEntry({ operation, method, path, query, status, fault }: JournalEntry): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((text) => `${name}=${text}`),
  );
  const target = parameters.length === 0 ? path : `${path}?${parameters.join("&")}`;
  const printed = target.length > MAX_PATH_LENGTH ? `${target.slice(0, MAX_PATH_LENGTH)}…` : target;
  const outcome = status === null ? `fault ${fault}` : `status ${status}`;
  return `${operation ?? "unknown operation"}: ${method} ${printed}, ${outcome}`;
}

/** Returns the indented lines of the first elements, and the number of the others. */
function listed<Row>(
  rows: readonly Row[],
  maximum: number,
  indent: string,
  describe: (row: Row) => string[],
): string[] {
  const lines = rows.slice(0, maximum).flatMap((row) => describe(row).map((line) => indent + line));
  return rows.length > maximum ? [...lines, `${indent}… and ${rows.length - maximum} more`] : lines;
}
