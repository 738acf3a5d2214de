import * as z from "zod/mini";
import { escapeLine } from "../../wire/message.ts";
import {
  type Base,
  bodyValue,
  type CoreRequest,
  type Issue,
  parseQuery,
  type RequestHeaders,
  splitTarget,
} from "../server/exchange.ts";
import { type OperationId, operationSchema } from "../server/operations.ts";
import { describeValue, parse } from "../server/schemas.ts";
import type { Redaction, Secrets } from "../server/secrets.ts";
import type { FaultKind } from "./effects.ts";
import { differences, type Matcher, parseMatcher, type RequestMatcher } from "./matcher.ts";

/** A response in the journal. */
export interface JournalResponse {
  status: number;
  headers: Record<string, string>;
  /** The parsed JSON; a string if the body is not JSON, `undefined` if there is no body. */
  body: unknown;
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
  /** `null` if a fault replaced the response. */
  status: number | null;
  /** The response that the server sent; `null` if a fault replaced it. */
  readonly response: JournalResponse | null;
  /** When the request arrived, by the server's clock. */
  at: string;
  fault?: FaultKind;
  /** The IDs of the overrides that applied, as `ref.on(…).ids` returns them. */
  overrides?: readonly number[];
  /** What in the request violates the contract. */
  issues: Issue[];
  /** The journal does not keep the bodies of this request any more; both are `undefined`. */
  isReleased?: true;
}

/** Selects requests of the journal. Every given part must match; secrets are already removed. */
export interface JournalMatcher extends RequestMatcher {
  /** Default: any operation. */
  operation?: OperationId | "*" | undefined;
  status?: number | undefined;
}

/** The options of `expect`. */
export interface ExpectOptions {
  /** The exact number of requests; 0 for none. Default: at least one. */
  times?: number | undefined;
}

/** A request as it was received. Its secrets are removed when the journal is read. */
export interface ReceivedRequest extends Pick<CoreRequest, "base" | "method" | "target"> {
  readonly operation: OperationId | null;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: RequestHeaders;
  body: string | undefined;
  /** `null` if a fault replaced the response. */
  readonly response: { status: number; headers: Record<string, string>; body: string | null } | null;
  readonly at: number;
  readonly fault: FaultKind | undefined;
  readonly overrides: readonly number[] | undefined;
  readonly issues: readonly Issue[];
  isReleased?: true;
}

/** The requests of a server. */
export class Journal {
  /** The number of requests, and the bytes of their bodies. */
  readonly #limits: Readonly<Record<"limit" | "maxBytes", number>>;
  readonly #secrets: Secrets;
  readonly #requests: ReceivedRequest[] = [];
  /** The characters of the bodies. */
  #size = 0;
  /** The number of oldest requests without bodies. */
  #released = 0;
  /** The number of requests that were dropped. */
  #dropped = 0;

  /** @internal */
  constructor(limits: Readonly<Record<"limit" | "maxBytes", number>>, secrets: Secrets) {
    this.#limits = limits;
    this.#secrets = secrets;
  }

  /** Returns every request, oldest first. */
  all(): JournalEntry[] {
    return this.#requests.map((request) => this.#read(request).entry);
  }

  /** Returns the requests of one operation, oldest first. */
  of(operation: OperationId): JournalEntry[] {
    return this.find({ operation });
  }

  /**
   * Returns the requests that match, oldest first. Requests to unknown paths are only in `all()`.
   *
   * @example ref.journal.find({ operation: "putStore", path: { externalId: "S-1" }, status: 200 })
   */
  find(matcher: JournalMatcher): JournalEntry[] {
    const parsed = this.#parseMatcher(matcher);
    return this.#compare(parsed, this.#ofOperation(parsed))
      .filter(({ found }) => found.length === 0)
      .map(({ entry }) => entry);
  }

  /**
   * Returns the requests that match, and throws if their number is not the expected one. The message compares the
   * nearest requests with the expectation.
   *
   * @example ref.journal.expect({ operation: "putStore", body: { name: "New" } }, { times: 1 })
   */
  expect(matcher: JournalMatcher, options: ExpectOptions = {}): JournalEntry[] {
    const { times } = parse(expectSchema, options, "expect");
    const found = this.find(matcher);
    if (times === undefined ? found.length > 0 : found.length === times) return found;
    const message = this.#describeFailure(this.#parseMatcher(matcher), times, found);
    throw new Error(this.#secrets.redaction.text(message));
  }

  /** Returns the requests that violated the contract, oldest first. */
  violations(): JournalEntry[] {
    return this.all().filter(({ issues }) => issues.length > 0);
  }

  /** Removes all requests. */
  clear(): void {
    this.#requests.length = 0;
    this.#size = 0;
    this.#released = 0;
    this.#dropped = 0;
  }

  /** @internal */
  add(request: ReceivedRequest): void {
    const { limit, maxBytes } = this.#limits;
    this.#requests.push(request);
    this.#size += bodySize(request) + headSize(request);
    while (this.#size > maxBytes && this.#released < this.#requests.length) this.#release();
    while (this.#size > maxBytes || this.#requests.length > limit) this.#drop();
  }

  /** Drops the oldest request. */
  #drop(): void {
    if (this.#released === 0) this.#release();
    const request = this.#requests.shift();
    this.#size -= request === undefined ? this.#size : headSize(request);
    this.#released -= 1;
    this.#dropped += 1;
  }

  /** Releases the bodies of the oldest request that still has them. */
  #release(): void {
    const request = this.#requests[this.#released];
    this.#released += 1;
    if (request === undefined) return;
    this.#size -= bodySize(request);
    request.body = undefined;
    if (request.response !== null) request.response.body = null;
    request.isReleased = true;
  }

  /** Returns a request without secrets, and its path parameters. */
  #read(request: ReceivedRequest): { entry: JournalEntry; params: Record<string, string> } {
    const redaction = this.#secrets.redactionFor(request.headers);
    const { operation, base, method, params, body, fault, overrides, issues, isReleased } = request;
    const sent = request.response && { ...request.response }; // the journal may release its body later
    let response: JournalResponse | undefined;
    const entry: JournalEntry = {
      operation,
      base,
      method,
      ...readTarget(request.target, redaction),
      headers: redaction.headers(request.headers),
      body: redaction.json(bodyValue(body)),
      status: sent && sent.status,
      /** The bodies of lists are large, so that each is parsed when it is read. */
      get response() {
        return (
          sent &&
          (response ??= {
            status: sent.status,
            headers: redaction.headers(sent.headers),
            body: redaction.json(bodyValue(sent.body)),
          })
        );
      },
      at: new Date(request.at).toISOString(),
      ...(fault && { fault }),
      ...(overrides && { overrides: [...overrides] }),
      issues: redaction.json(issues) as Issue[], // the same properties
      ...(isReleased && { isReleased }),
    };
    return { entry, params: redaction.json(params) as Record<string, string> }; // as above
  }

  /** Returns a valid matcher without secrets, because it is compared with requests without them. */
  #parseMatcher(given: JournalMatcher): Matcher {
    const { operation = "*", status, ...request } = parse(journalMatcherSchema, given, "matcher");
    const { path, query, headers, body, ...others } = parseMatcher(request, operation);
    const { redaction } = this.#secrets;
    return {
      operation: operation === "*" ? undefined : operation,
      status,
      ...others,
      ...(redaction.json({ path, query, body }) as Pick<Matcher, "path" | "query" | "body">), // the same properties
      headers: headers && redaction.headers(headers),
    };
  }

  /** Returns the requests to the operation of a matcher; requests to unknown paths belong to none. */
  #ofOperation(matcher: Matcher): ReceivedRequest[] {
    return this.#requests.filter(
      ({ operation }) => operation !== null && (matcher.operation ?? operation) === operation,
    );
  }

  /** Returns requests with their differences from a matcher. */
  #compare(
    matcher: Matcher,
    requests: readonly ReceivedRequest[],
  ): { entry: JournalEntry; found: string[] }[] {
    return requests.map((request) => {
      const { entry, params } = this.#read(request);
      const { operation, base, method, query, headers, body, status } = entry;
      const compared = { operation, base, method, path: params, query, headers, body, status };
      return { entry, found: [...differences(matcher, compared)] };
    });
  }

  /** Explains why an expectation failed: the expected requests, and the differences of the nearest requests. */
  #describeFailure(matcher: Matcher, times: number | undefined, found: readonly JournalEntry[]): string {
    const wanted =
      times === undefined ? "at least 1 request" : `${times} ${times === 1 ? "request" : "requests"}`;
    const lines = [`Expected ${wanted}, but found ${found.length}:`];
    for (const [name, value] of Object.entries(matcher))
      if (value !== undefined) lines.push(`  ${name}: ${describeValue(value)}`);
    if (times !== undefined && found.length > times)
      lines.push("Found requests:", ...listed(found.map((entry) => [describeEntry(entry)])));
    else lines.push("Nearest requests:", ...listed(this.#nearest(matcher)));
    if (this.#requests.length === 0)
      lines.push(
        "The journal has no request. Is the call awaited, does it use a base URL of this server, and was the journal reset after it?",
      );
    if (this.#dropped + this.#released > 0)
      lines.push(
        `The journal has dropped ${this.#dropped} requests and the bodies of ${this.#released} more (options journal.limit and journal.maxBytes).`,
      );
    return lines.map(escapeLine).join("\n");
  }

  /** Returns the requests that do not match: first those with the fewest differences, and of these the latest. */
  #nearest(matcher: Matcher): string[][] {
    const same = this.#ofOperation(matcher);
    return this.#compare(matcher, same.length > 0 ? same : this.#requests)
      .filter(({ found }) => found.length > 0)
      .toReversed()
      .toSorted((a, b) => a.found.length - b.found.length)
      .map(({ entry, found }) => [
        describeEntry(entry),
        ...listed(
          found.map((difference) => [difference]),
          MAX_DIFFERENCES,
        ),
      ]);
  }
}

/** Returns path and query of a target without secrets, which are removed before and after they are decoded. */
function readTarget(target: string, { text }: Redaction): Pick<JournalEntry, "path" | "query"> {
  const [path, query] = splitTarget(target);
  const pairs = Object.entries(parseQuery(query)).map(([name, value]) => [
    text(name),
    typeof value === "string" ? text(value) : value.map(text),
  ]);
  return { path: text(path), query: Object.fromEntries(pairs) as JournalEntry["query"] }; // of these
}

const journalMatcherSchema = z.looseObject({
  operation: z.optional(operationSchema),
  status: z.optional(z.int()),
});

const expectSchema = z.strictObject({ times: z.optional(z.int().check(z.gte(0))) });

/** The bytes of the bodies of a request: a character takes at most two. */
function bodySize({ body, response }: ReceivedRequest): number {
  return 2 * ((body?.length ?? 0) + (response?.body?.length ?? 0));
}

/** The bytes of the head of a request that are not counted: `limit` bounds those of ordinary ones. */
const FREE_HEAD = 2_048;

/** The bytes of the head of a request above those of an ordinary one. */
function headSize({ target, headers, issues }: ReceivedRequest): number {
  let characters = target.length;
  for (const name in headers) characters += name.length + (headers[name]?.length ?? 0);
  for (const { message } of issues) characters += message.length;
  return Math.max(2 * characters - FREE_HEAD, 0);
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

/** Returns the indented lines of the first rows, and the number of the others. */
function listed(rows: readonly (readonly string[])[], maximum = MAX_REQUESTS): string[] {
  if (rows.length === 0) return ["  none"];
  const lines = rows
    .slice(0, maximum)
    .flat()
    .map((line) => `  ${line}`);
  return rows.length > maximum ? [...lines, `  … and ${rows.length - maximum} more`] : lines;
}
