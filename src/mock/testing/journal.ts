import * as z from "zod/mini";
import { escapeLine } from "../../wire/message.ts";
import {
  bodyValue,
  type CoreResponse,
  type Issue,
  type RequestView,
  type RoutedRequest,
  splitTarget,
  viewOf,
} from "../server/exchange.ts";
import { type OperationId, operationSchema } from "../server/operations.ts";
import { describeValue, parse } from "../server/schemas.ts";
import type { Secrets } from "../server/secrets.ts";
import type { FaultKind, SentResponse } from "./effects.ts";
import {
  type Compared,
  differences,
  type Matcher,
  matches,
  parseMatcher,
  type RequestMatcher,
} from "./matcher.ts";

/** One request in the journal. It never contains a token or a key. */
export interface JournalEntry extends Omit<RequestView<OperationId | null>, "path"> {
  /** Path below the base, without the query. */
  path: string;
  /** `null` if a fault replaced the response. */
  status: number | null;
  /** The response that the server sent; `null` if a fault replaced it. */
  readonly response: SentResponse | null;
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

/** Selects requests of the journal. Every given part must match. */
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

/** A request as it was received, with its secrets. */
export interface ReceivedRequest extends RoutedRequest<OperationId | null> {
  /** `null` if a fault replaced the response. */
  readonly response: CoreResponse | null;
  readonly at: number;
  readonly fault: FaultKind | undefined;
  readonly overrides: readonly number[];
  readonly issues: readonly Issue[];
  readonly isReleased?: true;
}

/** What the journal keeps at most: the number of requests, and their bytes. */
type JournalLimits = Readonly<Record<"limit" | "maxBytes", number>>;

/** The requests of a server. */
export class Journal {
  readonly #limits: JournalLimits;
  readonly #secrets: Secrets;
  readonly #requests: ReceivedRequest[] = [];
  /** The bytes of the requests. */
  #size = 0;
  /** The number of oldest requests without bodies. */
  #released = 0;
  /** The number of requests that were dropped. */
  #dropped = 0;

  /** @internal */
  constructor(limits: JournalLimits, secrets: Secrets) {
    this.#limits = limits;
    this.#secrets = secrets;
  }

  /** Returns every request, oldest first. */
  all(): JournalEntry[] {
    return this.#requests.map((request) => this.#show(request));
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
    const parsed = parseJournalMatcher(matcher);
    return this.#requests
      .filter((request) => request.operation !== null && matches(parsed, comparedOf(request)))
      .map((request) => this.#show(request));
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
    throw new Error(this.#explain(parseJournalMatcher(matcher), times, found.length));
  }

  /** Returns the requests that violated the contract, oldest first. */
  violations(): JournalEntry[] {
    return this.#requests.filter(({ issues }) => issues.length > 0).map((request) => this.#show(request));
  }

  /** Removes all requests. */
  clear(): void {
    this.#requests.length = 0;
    this.#size = 0;
    this.#released = 0;
    this.#dropped = 0;
  }

  /** @internal Adds a request; if there is too much, releases the bodies of the oldest ones, then drops them. */
  add(request: ReceivedRequest): void {
    const { limit, maxBytes } = this.#limits;
    this.#requests.push(request);
    this.#size += sizeOf(request);
    while (this.#size > maxBytes && this.#released < this.#requests.length) this.#release();
    while (this.#size > maxBytes || this.#requests.length > limit) this.#drop();
  }

  /** Releases the bodies of the oldest request that has them; an entry that a test holds keeps them. */
  #release(): void {
    const received = this.#requests[this.#released];
    if (received === undefined) return;
    const { request, response, ...others } = received;
    const head: ReceivedRequest = {
      ...others,
      request: { ...request, body: undefined },
      response: response && { ...response, body: null },
      isReleased: true,
    };
    this.#requests[this.#released] = head;
    this.#size += sizeOf(head) - sizeOf(received);
    this.#released += 1;
  }

  /** Drops the oldest request. */
  #drop(): void {
    const oldest = this.#requests.shift();
    if (oldest === undefined) return;
    this.#size -= sizeOf(oldest);
    this.#released = Math.max(0, this.#released - 1);
    this.#dropped += 1;
  }

  /** Returns a request without secrets. */
  #show(received: ReceivedRequest): JournalEntry {
    const { request, response: sent, at, fault, overrides, issues, isReleased } = received;
    const view = viewOf(received);
    const secrets = this.#secrets;
    const [path] = splitTarget(request.target);
    let response: SentResponse | undefined;
    return {
      ...view,
      path: secrets.text(path),
      query: secrets.json(view.query) as JournalEntry["query"], // the same properties, also below
      headers: secrets.headers(view.headers),
      body: secrets.json(view.body),
      status: sent && sent.status,
      /** The bodies of lists are large, so that each is parsed when it is read. */
      get response() {
        return (
          sent &&
          (response ??= {
            status: sent.status,
            headers: secrets.headers(sent.headers),
            body: secrets.json(bodyValue(sent.body)),
          })
        );
      },
      at: new Date(at).toISOString(),
      ...(fault && { fault }),
      ...(overrides.length > 0 && { overrides }),
      issues: secrets.json(issues) as Issue[],
      ...(isReleased && { isReleased }),
    };
  }

  /** Explains why an expectation failed: the expected requests, and how the nearest ones differ. */
  #explain(matcher: Matcher, times: number | undefined, found: number): string {
    const requests = times === undefined || times === 1 ? "request" : "requests";
    const isTooMany = times !== undefined && found > times;
    const lines = [
      `Expected ${times ?? "at least 1"} ${requests}, but found ${found}:`,
      ...Object.entries(matcher)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `  ${name}: ${this.#describe(value)}`),
      isTooMany ? "Found requests:" : "Nearest requests:",
      ...this.#describeNearest(matcher, isTooMany),
    ];
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

  /** Returns the lines of the requests with the fewest differences, and of these the latest. */
  #describeNearest(matcher: Matcher, isFound: boolean): string[] {
    const same = this.#requests.filter(
      ({ operation }) => operation !== null && (matcher.operation ?? operation) === operation,
    );
    const rows = (same.length > 0 ? same : this.#requests)
      .map((request) => ({ request, differing: [...differences(matcher, comparedOf(request))] }))
      .filter(({ differing }) => (differing.length === 0) === isFound)
      .toReversed()
      .toSorted((a, b) => a.differing.length - b.differing.length);
    const lines = rows.slice(0, MAX_REQUESTS).flatMap(({ request, differing }) => [
      `  ${describeEntry(this.#show(request))}`,
      ...differing.slice(0, MAX_DIFFERENCES).map(({ place, expected, received }) => {
        return `    ${place}: expected ${this.#describe(expected)}, received ${this.#describe(received)}`;
      }),
    ]);
    if (rows.length > MAX_REQUESTS) lines.push(`  … and ${rows.length - MAX_REQUESTS} more`);
    return rows.length === 0 ? ["  none"] : lines;
  }

  #describe(value: unknown): string {
    return describeValue(this.#secrets.json(value));
  }
}

const journalMatcherSchema = z.looseObject({
  operation: z.optional(operationSchema),
  status: z.optional(z.int()),
});

const expectSchema = z.strictObject({ times: z.optional(z.int().check(z.gte(0))) });

function parseJournalMatcher(given: unknown): Matcher {
  const { operation = "*", status, ...request } = parse(journalMatcherSchema, given, "matcher");
  return {
    operation: operation === "*" ? undefined : operation,
    status,
    ...parseMatcher(request, operation),
  };
}

/** Returns a request as matchers compare it. */
function comparedOf(received: ReceivedRequest): Compared {
  return { ...viewOf(received), status: received.response && received.response.status };
}

/** Returns the bytes of a request and its response: a character takes at most two. */
function sizeOf({ request: { body = "", ...head }, response, issues }: ReceivedRequest): number {
  return 2 * (JSON.stringify([head, issues]).length + body.length + (response?.body ?? "").length);
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
