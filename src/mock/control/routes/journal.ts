import type { Journal, JournalEntry, JournalMatcher, OperationId } from "../../index.ts";
import {
  assertNames,
  ControlError,
  type ControlRequest,
  type ControlRoutes,
  integerOf,
  stringOf,
  type UncheckedObject,
} from "../route.ts";
import { messageOf } from "../../../wire/thrown.ts";

const MATCHER_PARTS = ["operation", "status", "path", "query", "headers", "body"];

export const journalRoutes: ControlRoutes = {
  "GET /journal": readJournal,
  "DELETE /journal": ({ ref }) => ref.journal.clear(),
  "POST /journal/find": ({ ref, body }) => ({ requests: ref.journal.find(matcherOf(body)) }),
  "POST /journal/expect": expectRequests,
};

function readJournal({ ref: { journal }, query }: ControlRequest): object {
  const { operation, status, last } = query;
  const matcher = {
    ...(operation !== undefined && { operation: operation as OperationId }), // the journal rejects unknown ones
    ...(status !== undefined && { status: numberIn(query, "status") }),
  };
  const count = last === undefined ? undefined : numberIn(query, "last");
  const isFiltered = operation !== undefined || status !== undefined;
  const requests = isFiltered ? journal.find(matcher) : journal.all();
  const violations = journal.violations().filter((entry) => !isFiltered || isWanted(entry, matcher));
  return { requests: latest(requests, count), violations: latest(violations, count) };
}

function numberIn(query: Readonly<Record<string, string>>, name: string): number {
  const text = query[name] ?? "";
  return integerOf(/^\d{1,15}$/.test(text) ? Number(text) : text, name, 1);
}

function isWanted(
  entry: JournalEntry,
  { operation, status }: { operation?: string; status?: number },
): boolean {
  if (entry.operation === null || (status !== undefined && entry.status !== status)) return false;
  return operation === undefined || operation === "*" || entry.operation === operation;
}

function latest<Entry>(entries: Entry[], count: number | undefined): Entry[] {
  return count === undefined ? entries : entries.slice(-count);
}

/** Responds with 409 and the differences if the journal does not contain the expected requests. */
function expectRequests({ ref, body }: ControlRequest): object {
  const { times, ...rest } = body;
  const options = times === undefined ? {} : { times: integerOf(times, "times", 0) };
  assertNames(body, [...MATCHER_PARTS, "times"]);
  const matcher = matcherOf(rest);
  ref.journal.find(matcher); // throws for an invalid matcher
  return { requests: expected(ref.journal, matcher, options) };
}

function expected(journal: Journal, matcher: JournalMatcher, options: { times?: number }): JournalEntry[] {
  try {
    return journal.expect(matcher, options);
  } catch (error) {
    throw new ControlError(409, messageOf(error)); // the differences
  }
}

function matcherOf(body: UncheckedObject): JournalMatcher {
  assertNames(body, MATCHER_PARTS);
  if (body.operation !== undefined) stringOf(body.operation, "operation");
  return body; // the journal checks the parts
}
