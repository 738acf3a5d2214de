import type { Redactor } from "../../internal/redaction.ts";
import type { Issue } from "./api-response.ts";
import { type Coverage, CoverageCounter, type CoverageModel } from "./coverage.ts";
import type { FaultKind } from "./faults.ts";
import { type JournalRecord, RecordBuffer } from "./journal-records.ts";
import { assertOperation } from "./operation-names.ts";
import { parseQuery, splitTarget } from "./query.ts";
import { redaction } from "./redaction.ts";
import { bodyValue } from "./request-view.ts";

/** One request in the journal. It never contains a token or a key. */
export interface JournalEntry<Operation extends string = string, Base extends string = string> {
  /** `null` where no operation has this path and method. */
  operation: Operation | null;
  base: Base;
  method: string;
  /** Path below the base, without the query. */
  path: string;
  query: Record<string, string | string[]>;
  /** Parsed JSON; a string if the body was not JSON, `undefined` without a body. */
  body: unknown;
  /** The size of a body that was too large for the journal, in characters; `body` is `undefined` then. */
  omittedBody?: number;
  /** `null` if a fault replaced the response. */
  status: number | null;
  /** When the request arrived, by the server's clock. */
  at: string;
  fault?: FaultKind;
}

/** A request that broke the contract, with its issues. */
export interface UnmetEntry<Operation extends string = string, Base extends string = string>
  extends JournalEntry<Operation, Base> {
  issues: Issue[];
}

/** How much the journal keeps; beyond it the oldest requests are released. */
export interface JournalLimits {
  readonly limit: number;
  readonly maxBytes: number;
}

interface JournalOptions extends JournalLimits {
  readonly coverage: CoverageModel;
  readonly redactor: Redactor;
}

/** The requests of a server. */
export class Journal<Operation extends string = string, Base extends string = string> {
  readonly #records: RecordBuffer;
  readonly #operations: readonly string[];
  readonly #count: CoverageCounter;
  readonly #redactor: Redactor;

  /** @internal */
  constructor({ limit, maxBytes, coverage, redactor }: JournalOptions) {
    this.#records = new RecordBuffer(limit, maxBytes);
    this.#operations = coverage.operations;
    this.#count = new CoverageCounter(coverage);
    this.#redactor = redactor;
  }

  /** Returns every request, oldest first. */
  all(): JournalEntry<Operation, Base>[] {
    return this.#records.all().map((record) => this.#entry(record));
  }

  /** Returns the requests of one operation, oldest first. */
  of(operation: Operation): JournalEntry<Operation, Base>[] {
    assertOperation(operation, this.#operations);
    const records = this.#records.all().filter((record) => record.operation === operation);
    return records.map((record) => this.#entry(record));
  }

  /** Returns the requests that broke the contract, oldest first, with their issues. */
  unmet(): UnmetEntry<Operation, Base>[] {
    const records = this.#records.all().filter(({ issues }) => issues.length > 0);
    return records.map((record) => {
      const redact = redaction(this.#redactor, record.presented);
      const issues = record.issues.map((issue) => ({
        ...issue,
        path: redact(issue.path),
        message: redact(issue.message),
      }));
      return { ...this.#entry(record), issues };
    });
  }

  /** Returns which operations, statuses and error codes were met since the last reset, and which were not. */
  coverage(): Coverage {
    return this.#count.coverage();
  }

  /** @internal */
  add(record: JournalRecord): void {
    if (record.operation !== null) this.#count.add(record.operation, record.status, record.code);
    this.#records.add(record);
  }

  /** @internal */
  clear(): void {
    this.#records.clear();
    this.#count.clear();
  }

  /** The kernel knows operations and bases as strings; the server knows their types. */
  #entry(record: JournalRecord): JournalEntry<Operation, Base> {
    return toEntry(record, redaction(this.#redactor, record.presented)) as JournalEntry<Operation, Base>;
  }
}

function toEntry(record: JournalRecord, redact: (text: string) => string): JournalEntry {
  const [path, query] = splitTarget(redact(record.target));
  const entry: JournalEntry = {
    operation: record.operation,
    base: record.base,
    method: record.method,
    path,
    query: { ...parseQuery(query) },
    body: bodyValue(record.body === undefined ? undefined : redact(record.body)),
    status: record.status,
    at: new Date(record.at).toISOString(),
  };
  if (record.omittedBody !== undefined) entry.omittedBody = record.omittedBody;
  if (record.fault !== undefined) entry.fault = record.fault;
  return entry;
}
