import type { Issue } from "./api-response.ts";
import { type Coverage, CoverageCounter, type CoverageModel } from "./coverage.ts";
import type { FaultKind } from "./faults.ts";
import { assertOperation } from "./operation-names.ts";
import { parseQuery, splitTarget } from "./query.ts";

/** One request as the journal keeps it. No token and no key is ever in it. */
export interface JournalEntry<Operation extends string = string, Base extends string = string> {
  /** `null` where no operation has this path and method. */
  operation: Operation | null;
  base: Base;
  method: string;
  /** Path below the base, without the query. */
  path: string;
  query: Record<string, string | string[]>;
  /** Parsed; a text where it is no JSON, `undefined` where there was none. */
  body: unknown;
  /** `null` where a fault left no answer. */
  status: number | null;
  /** When it came, by the server's clock. */
  at: string;
  fault?: FaultKind;
}

/** A request that broke the contract, with why. */
export interface UnmetEntry<Operation extends string = string, Base extends string = string>
  extends JournalEntry<Operation, Base> {
  issues: Issue[];
}

/** What the core hands in: texts, which are parsed when somebody looks. */
export interface JournalRecord {
  operation: string | null;
  base: string;
  method: string;
  target: string;
  body: string | undefined;
  status: number | null;
  code: string | undefined;
  at: number;
  fault: FaultKind | undefined;
  issues: readonly Issue[];
}

/** Characters of bodies that are kept; past it the oldest entries go early. */
const BODIES_LIMIT = 64_000_000;

/** The requests that a server met. */
export class Journal<Operation extends string = string, Base extends string = string> {
  readonly #limit: number;
  readonly #operations: readonly string[];
  readonly #count: CoverageCounter;
  #records: JournalRecord[] = [];
  #first = 0;
  #characters = 0;

  /** @internal */
  constructor(limit: number, coverage: CoverageModel) {
    this.#limit = limit;
    this.#operations = coverage.operations;
    this.#count = new CoverageCounter(coverage);
  }

  /** Every request, oldest first. */
  all(): JournalEntry<Operation, Base>[] {
    return this.#kept().map((record) => this.#entry(record));
  }

  /** The requests of one operation, oldest first. */
  of(operation: Operation): JournalEntry<Operation, Base>[] {
    assertOperation(operation, this.#operations);
    return this.#kept()
      .filter((record) => record.operation === operation)
      .map((record) => this.#entry(record));
  }

  /** The requests that broke the contract, oldest first, with the member at fault. */
  unmet(): UnmetEntry<Operation, Base>[] {
    return this.#kept()
      .filter((record) => record.issues.length > 0)
      .map((record) => ({ ...this.#entry(record), issues: record.issues.map((issue) => ({ ...issue })) }));
  }

  /** Which operations, statuses and error codes were met since the last reset, and which were not. */
  coverage(): Coverage {
    return this.#count.coverage();
  }

  /** @internal */
  add(record: JournalRecord): void {
    if (record.operation !== null) this.#count.add(record.operation, record.status, record.code);
    this.#records.push(record);
    this.#characters += record.body?.length ?? 0;
    while (this.#records.length - this.#first > this.#limit || this.#characters > BODIES_LIMIT) this.#drop();
  }

  /** @internal */
  clear(): void {
    this.#records = [];
    this.#first = 0;
    this.#characters = 0;
    this.#count.clear();
  }

  /** The kernel knows operations and bases as strings; their types are the owner's. */
  #entry(record: JournalRecord): JournalEntry<Operation, Base> {
    return toEntry(record) as JournalEntry<Operation, Base>;
  }

  #kept(): JournalRecord[] {
    return this.#records.slice(this.#first);
  }

  #drop(): void {
    this.#characters -= this.#records[this.#first]?.body?.length ?? 0;
    this.#first += 1;
    if (this.#first < this.#limit) return;
    this.#records = this.#kept();
    this.#first = 0;
  }
}

function toEntry(record: JournalRecord): JournalEntry {
  const [path, query] = splitTarget(record.target);
  const entry: JournalEntry = {
    operation: record.operation,
    base: record.base,
    method: record.method,
    path,
    query: { ...parseQuery(query) },
    body: parseBody(record.body),
    status: record.status,
    at: new Date(record.at).toISOString(),
  };
  if (record.fault !== undefined) entry.fault = record.fault;
  return entry;
}

function parseBody(body: string | undefined): unknown {
  if (body === undefined || body === "") return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}
