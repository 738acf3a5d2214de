import type { Issue } from "./api-response.ts";
import { type Coverage, CoverageCount } from "./coverage.ts";
import type { FaultKind } from "./faults.ts";
import { type OperationId, checkedOperation } from "../apis/operations.ts";
import { parseQuery, splitTarget } from "./query.ts";
import type { Base } from "./request.ts";

/** One request as the journal keeps it. No token and no key is ever in it. */
export interface JournalEntry {
  /** `null` where no operation has this path and method. */
  operation: OperationId | null;
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
export interface UnmetEntry extends JournalEntry {
  issues: Issue[];
}

/** What the core hands in: texts, which are parsed when somebody looks. */
export interface Note {
  operation: OperationId | null;
  base: Base;
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
export class Journal {
  readonly #limit: number;
  readonly #count = new CoverageCount();
  #notes: Note[] = [];
  #first = 0;
  #characters = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Every request, oldest first. */
  all(): JournalEntry[] {
    return this.#kept().map(entryOf);
  }

  /** The requests of one operation, oldest first. */
  of(operation: OperationId): JournalEntry[] {
    const id = checkedOperation(operation);
    return this.#kept()
      .filter((note) => note.operation === id)
      .map(entryOf);
  }

  /** The requests that broke the contract, oldest first, with the member at fault. */
  unmet(): UnmetEntry[] {
    return this.#kept()
      .filter((note) => note.issues.length > 0)
      .map((note) => ({ ...entryOf(note), issues: note.issues.map((issue) => ({ ...issue })) }));
  }

  /** Which operations, statuses and error codes were met since the last reset, and which were not. */
  coverage(): Coverage {
    return this.#count.coverage();
  }

  /** @internal */
  add(note: Note): void {
    if (note.operation !== null) this.#count.add(note.operation, note.status, note.code);
    this.#notes.push(note);
    this.#characters += note.body?.length ?? 0;
    while (this.#notes.length - this.#first > this.#limit || this.#characters > BODIES_LIMIT) this.#drop();
  }

  /** @internal */
  clear(): void {
    this.#notes = [];
    this.#first = 0;
    this.#characters = 0;
    this.#count.clear();
  }

  #kept(): Note[] {
    return this.#notes.slice(this.#first);
  }

  #drop(): void {
    this.#characters -= this.#notes[this.#first]?.body?.length ?? 0;
    this.#first += 1;
    if (this.#first < this.#limit) return;
    this.#notes = this.#kept();
    this.#first = 0;
  }
}

function entryOf(note: Note): JournalEntry {
  const [path, query] = splitTarget(note.target);
  const entry: JournalEntry = {
    operation: note.operation,
    base: note.base,
    method: note.method,
    path,
    query: { ...parseQuery(query) },
    body: parsed(note.body),
    status: note.status,
    at: new Date(note.at).toISOString(),
  };
  if (note.fault !== undefined) entry.fault = note.fault;
  return entry;
}

function parsed(body: string | undefined): unknown {
  if (body === undefined || body === "") return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}
