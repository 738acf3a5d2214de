import type { Issue } from "./api-response.ts";
import type { FaultKind } from "./faults.ts";

/** A request as it is recorded; its texts are redacted and parsed when the journal is read. */
export interface JournalRecord {
  operation: string | null;
  base: string;
  method: string;
  target: string;
  body: string | undefined;
  omittedBody?: number;
  /** An unknown secret that the request presented, which is redacted too. */
  presented: string | undefined;
  status: number | null;
  code: string | undefined;
  at: number;
  fault: FaultKind | undefined;
  issues: readonly Issue[];
}

/** The size of a record without its texts, in bytes. */
const RECORD_SIZE = 300;

/** A text takes at most two bytes for each character. */
const CHARACTER_SIZE = 2;

/** Characters of a target that are kept if it is too large. */
const TARGET_HEAD = 1_000;

/** The latest records, bounded by their number and by their size in bytes. Older records are released. */
export class RecordBuffer {
  readonly #limit: number;
  readonly #maxBytes: number;
  #records: (JournalRecord | undefined)[] = [];
  #first = 0;
  #bytes = 0;

  constructor(limit: number, maxBytes: number) {
    this.#limit = limit;
    this.#maxBytes = maxBytes;
  }

  /** Returns the records, oldest first. */
  all(): JournalRecord[] {
    return this.#records.slice(this.#first).filter((record) => record !== undefined);
  }

  add(record: JournalRecord): void {
    const kept = this.#withoutLargeTexts(record);
    this.#records.push(kept);
    this.#bytes += sizeOf(kept);
    while (this.#records.length - this.#first > this.#limit || this.#isFull()) this.#drop();
  }

  clear(): void {
    this.#records = [];
    this.#first = 0;
    this.#bytes = 0;
  }

  /** A single record never takes more than a quarter of the journal. */
  #withoutLargeTexts(record: JournalRecord): JournalRecord {
    const most = this.#maxBytes / 4 / CHARACTER_SIZE;
    const { body, target } = record;
    const isLargeBody = body !== undefined && body.length > most;
    if (!isLargeBody && target.length <= most) return record;
    return {
      ...record,
      target: target.length > most ? target.slice(0, TARGET_HEAD) : target,
      ...(isLargeBody && { body: undefined, omittedBody: body.length }),
    };
  }

  #isFull(): boolean {
    return this.#bytes > this.#maxBytes && this.#records.length > this.#first;
  }

  #drop(): void {
    const dropped = this.#records[this.#first];
    if (dropped !== undefined) this.#bytes -= sizeOf(dropped);
    this.#records[this.#first] = undefined;
    this.#first += 1;
    if (this.#first < 1_000 || this.#first * 2 < this.#records.length) return;
    this.#records = this.#records.slice(this.#first);
    this.#first = 0;
  }
}

function sizeOf({ target, body = "", presented = "", issues }: JournalRecord): number {
  let characters = target.length + body.length + presented.length;
  for (const { path, message } of issues) characters += path.length + message.length + 50;
  return RECORD_SIZE + characters * CHARACTER_SIZE;
}
