import type { Issue } from "./api-response.ts";
import { type Coverage, CoverageCounter, type CoverageModel } from "./coverage.ts";
import type { FaultKind } from "./faults.ts";
import { assertOperation } from "./operation-names.ts";
import { parseQuery, splitTarget } from "./query.ts";

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

/** A request as it is recorded; its texts are parsed when the journal is read. */
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

/** The requests of a server. */
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

  /** Returns every request, oldest first. */
  all(): JournalEntry<Operation, Base>[] {
    return this.#kept().map((record) => this.#entry(record));
  }

  /** Returns the requests of one operation, oldest first. */
  of(operation: Operation): JournalEntry<Operation, Base>[] {
    assertOperation(operation, this.#operations);
    return this.#kept()
      .filter((record) => record.operation === operation)
      .map((record) => this.#entry(record));
  }

  /** Returns the requests that broke the contract, oldest first, with their issues. */
  unmet(): UnmetEntry<Operation, Base>[] {
    return this.#kept()
      .filter((record) => record.issues.length > 0)
      .map((record) => ({ ...this.#entry(record), issues: record.issues.map((issue) => ({ ...issue })) }));
  }

  /** Returns which operations, statuses and error codes were met since the last reset, and which were not. */
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

  /** The kernel knows operations and bases as strings; the server knows their types. */
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
