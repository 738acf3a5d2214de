import * as z from "zod/mini";
import type { RequestView } from "../server/exchange.ts";
import type { OperationId } from "../server/operations.ts";
import { describeValue, parse } from "../server/schemas.ts";
import { isSecretHeader } from "../server/secret-headers.ts";
import type { JournalEntry } from "./journal.ts";
import {
  type CompiledMatcher,
  compileMatcher,
  type Difference,
  differences,
  type RequestMatcher,
} from "./matcher.ts";

/** Selects requests of the journal. Every given part must match; secrets are already removed. */
export interface JournalMatcher extends RequestMatcher {
  /** Default: any operation. */
  operation?: OperationId | "*" | undefined;
  status?: number | undefined;
}

/** A valid matcher. */
export interface CompiledJournalMatcher {
  readonly operation: OperationId | "*";
  readonly status: number | undefined;
  readonly request: CompiledMatcher;
}

/** Validates a matcher of the journal. Throws an error that names the invalid part. */
export function compileJournalMatcher(matcher: JournalMatcher): CompiledJournalMatcher {
  const {
    operation = "*",
    status,
    ...request
  } = Object(matcher) === matcher ? matcher : (parse(z.object({}), matcher, "matcher") as JournalMatcher);
  parse(z.optional(z.int()), status, "matcher.status");
  const compiled = compileMatcher(request, operation);
  const secret = Object.keys(compiled.summary.headers ?? {}).find(isSecretHeader);
  if (secret !== undefined)
    throw new Error(`matcher.headers.${secret}: the journal does not keep the value of this header`);
  return { operation, status, request: compiled };
}

/** Whether a request belongs to the operation of a matcher; requests to unknown paths belong to none. */
export function isOperation(
  matcher: CompiledJournalMatcher,
  { operation }: { operation: OperationId | null },
): boolean {
  return operation !== null && (matcher.operation === "*" || matcher.operation === operation);
}

/** Yields what a request differs in from a matcher. */
export function* differencesOf(
  matcher: CompiledJournalMatcher,
  entry: JournalEntry,
  view: RequestView,
): Generator<Difference> {
  const { operation, status } = entry;
  if (!isOperation(matcher, entry)) {
    const received = operation ?? "none, because no operation has this path and method";
    yield { place: "operation", expected: matcher.operation, received };
    return;
  }
  yield* differences(matcher.request, view);
  if (matcher.status === undefined || status === matcher.status) return;
  const received = status === null ? "none, because of a fault" : String(status);
  yield { place: "status", expected: String(matcher.status), received };
}

/** Returns the lines of a message that show a matcher. */
export function describeMatcher({ operation, status, request }: CompiledJournalMatcher): string[] {
  const parts = { ...request.summary, status };
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  return [
    `  ${operation === "*" ? "any operation" : operation}`,
    ...given.map(([name, value]) => `    ${name}: ${describeValue(value)}`),
  ];
}
