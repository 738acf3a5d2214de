import { type Check, describeValue } from "./checks.ts";
import type { JournalEntry } from "./journal-entry.ts";
import { compileMatcher, type RequestMatcher } from "./matcher.ts";
import { EVERY_OPERATION, factsOf, type OperationModel } from "./operation-model.ts";
import { isSecretHeader } from "../../wire/credentials.ts";
import type { RequestView } from "../http/request-view.ts";
import { escapeLine } from "../../wire/foreign-text.ts";

/** Selects requests of the journal. Every given part must match; secrets are already removed. */
export interface JournalMatcher<View extends RequestView = RequestView> extends RequestMatcher<View> {
  /** Default: any operation. */
  operation?: View["operation"] | "*";
  status?: number;
}

/** A request of the journal as an entry and as the view for matchers. */
export interface Candidate<Operation extends string = string, Base extends string = string> {
  readonly entry: JournalEntry<Operation, Base>;
  readonly view: RequestView;
}

interface CompiledJournalMatcher {
  readonly operation: string;
  readonly status: number | undefined;
  readonly checks: readonly Check[];
}

/** A part of a request that does not match. */
interface Difference {
  readonly place: string;
  readonly expected: string;
  readonly received: string;
}

/** Validates a matcher of the journal. Throws an error that names the invalid part. */
export function compileJournalMatcher(
  matcher: JournalMatcher,
  model: OperationModel,
): CompiledJournalMatcher {
  if (typeof matcher !== "object" || matcher === null)
    throw new Error(`A matcher must be an object, not ${describeValue(matcher)}`);
  const { operation = EVERY_OPERATION, status, ...request } = matcher;
  if (status !== undefined && !Number.isInteger(status))
    throw new Error(`status must be an integer, not ${describeValue(status)}`);
  const { checks, summary } = compileMatcher(request, factsOf(model, operation), operation);
  const secret = Object.keys(summary.headers ?? {}).find(isSecretHeader);
  if (secret !== undefined)
    throw new Error(`headers.${secret}: the journal does not keep the value of this header`);
  return { operation, status, checks };
}

export function isMatch(matcher: CompiledJournalMatcher, { entry, view }: Candidate): boolean {
  const { status, checks } = matcher;
  if (!isOperation(matcher, entry)) return false;
  return (status === undefined || entry.status === status) && checks.every((check) => check.holds(view));
}

/** Whether a request belongs to the operation of a matcher; requests to unknown paths belong to none. */
export function isOperation(
  { operation }: CompiledJournalMatcher,
  request: { readonly operation: string | null },
): boolean {
  if (request.operation === null) return false;
  return operation === EVERY_OPERATION || operation === request.operation;
}

/** Returns the parts of a request that do not match. */
function differencesOf(matcher: CompiledJournalMatcher, { entry, view }: Candidate): Difference[] {
  if (!isOperation(matcher, entry)) {
    const received = entry.operation ?? "none, because no operation has this path and method";
    return [{ place: "operation", expected: matcher.operation, received }];
  }
  const differences = matcher.checks
    .filter((check) => !check.holds(view))
    .map((check) => ({ place: check.place, expected: check.expected, received: check.received(view) }));
  const { status } = matcher;
  if (status === undefined || entry.status === status) return differences;
  const received = entry.status === null ? "none, because of a fault" : String(entry.status);
  return [...differences, { place: "status", expected: String(status), received }];
}

/** The numbers of requests and of differences per request in a message. */
const MAX_REQUESTS = 3;
const MAX_DIFFERENCES = 8;

/** Characters of a path in a message. */
const MAX_PATH_LENGTH = 200;

/** The requests of the journal, and the expectation of a test. */
interface FailedExpectation {
  readonly matcher: CompiledJournalMatcher;
  /** The expected number; `undefined` for at least one. */
  readonly times: number | undefined;
  readonly found: readonly JournalEntry[];
  readonly candidates: readonly Candidate[];
  /** The number of older requests that the journal has released. */
  readonly released: number;
}

/** Explains why an expectation failed: the expected requests, and the differences of the nearest requests. */
export function expectationMessage(failed: FailedExpectation): string {
  const { matcher, times, found, candidates, released } = failed;
  const wanted =
    times === undefined ? "at least 1 request" : `${times} ${times === 1 ? "request" : "requests"}`;
  const lines = [`Expected ${wanted}, but found ${found.length}:`, ...describeMatcher(matcher)];
  if (candidates.length === 0) lines.push("The journal has no requests.");
  else if (times !== undefined && found.length > times) lines.push(...foundLines(found));
  else lines.push(...nearestLines(failed));
  if (released > 0) {
    const older = released === 1 ? "1 older request" : `${released} older requests`;
    lines.push(`The journal has released ${older} (options journal.limit and journal.maxBytes).`);
  }
  return lines.map(escapeLine).join("\n");
}

function describeMatcher({ operation, status, checks }: CompiledJournalMatcher): string[] {
  const lines = [`  ${operation === EVERY_OPERATION ? "any operation" : operation}`];
  for (const { place, expected } of checks.slice(0, MAX_DIFFERENCES)) lines.push(`    ${place}: ${expected}`);
  lines.push(...moreLine(checks.length, MAX_DIFFERENCES, "    "));
  if (status !== undefined) lines.push(`    status: ${status}`);
  return lines;
}

function foundLines(found: readonly JournalEntry[]): string[] {
  const lines = found.slice(0, MAX_REQUESTS).map((entry) => `  ${describeEntry(entry)}`);
  return ["Found requests:", ...lines, ...moreLine(found.length, MAX_REQUESTS, "  ")];
}

/** Returns the requests that do not match: first those with the fewest differences, and of these the latest. */
function nearestLines({ matcher, candidates, found }: FailedExpectation): string[] {
  const others = candidates.filter(({ entry }) => !found.includes(entry));
  const same = others.filter(({ entry }) => isOperation(matcher, entry));
  const compared = (same.length > 0 ? same : others)
    .toReversed()
    .map((candidate) => ({ ...candidate, differences: differencesOf(matcher, candidate) }))
    .toSorted((a, b) => a.differences.length - b.differences.length);
  if (compared.length === 0) return ["The journal has no other requests."];
  const lines = compared
    .slice(0, MAX_REQUESTS)
    .flatMap(({ entry, differences }) => [
      `  ${describeEntry(entry)}`,
      ...differences
        .slice(0, MAX_DIFFERENCES)
        .map(({ place, expected, received }) => `    ${place}: expected ${expected}, received ${received}`),
      ...moreLine(differences.length, MAX_DIFFERENCES, "    "),
    ]);
  return ["Nearest requests:", ...lines, ...moreLine(compared.length, MAX_REQUESTS, "  ")];
}

function describeEntry({ operation, method, path, query, status, fault }: JournalEntry): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((text) => `${name}=${text}`),
  );
  const target = parameters.length === 0 ? path : `${path}?${parameters.join("&")}`;
  const printed = target.length > MAX_PATH_LENGTH ? `${target.slice(0, MAX_PATH_LENGTH)}…` : target;
  const outcome = status === null ? `fault ${fault}` : `status ${status}`;
  return `${operation ?? "unknown operation"}: ${method} ${printed}, ${outcome}`;
}

function moreLine(count: number, printed: number, indent: string): string[] {
  return count > printed ? [`${indent}… and ${count - printed} more`] : [];
}
