import { type Check, describeValue } from "./check.ts";
import type { JournalEntry } from "./journal-entry.ts";
import { type RequestMatcher, compileMatcher } from "./matcher.ts";
import { EVERY_OPERATION, type OperationModel, factsOf } from "./operation-model.ts";
import { isSecretHeader } from "../../wire/credentials.ts";
import type { RequestView } from "../http/request-view.ts";

/** Selects requests of the journal. Every given part must match; secrets are already removed. */
export interface JournalMatcher<View extends RequestView = RequestView> extends RequestMatcher<View> {
  /** Default: any operation. */
  operation?: View["operation"] | "*";
  /** The status of the response. */
  status?: number;
}

/** A request of the journal as an entry and as the view for matchers. */
export interface Candidate {
  readonly entry: JournalEntry;
  readonly view: RequestView;
}

/** A validated matcher of the journal. */
export interface CompiledJournalMatcher {
  readonly operation: string;
  readonly status: number | undefined;
  readonly checks: readonly Check[];
}

/** A part of a request that does not match. */
export interface Difference {
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

/** Whether a request of the journal matches. */
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
export function differencesOf(matcher: CompiledJournalMatcher, { entry, view }: Candidate): Difference[] {
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
