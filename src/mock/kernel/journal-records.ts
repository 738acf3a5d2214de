import type { Issue } from "./api-response.ts";
import type { FaultKind } from "./faults.ts";
import type { RequestHeaders } from "./request.ts";

/** A response as it is recorded. */
export interface ResponseRecord {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The size of a body that is not kept, in characters. */
  readonly omittedBody?: number;
}

/** A request as it is recorded; its texts are redacted and parsed when the journal is read. */
export interface JournalRecord {
  operation: string | null;
  base: string;
  method: string;
  target: string;
  /** Decoded path parameters. */
  params: Readonly<Record<string, string>>;
  headers: RequestHeaders;
  body: string | undefined;
  omittedBody?: number;
  /** An unknown secret that the request presented, which is redacted too. */
  presented: string | undefined;
  /** `null` where a fault replaced the response. */
  response: ResponseRecord | null;
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

/**
 * The latest records, bounded by their number and by their size in bytes. Beyond the bytes, the bodies of the oldest
 * responses are released first, then the oldest records, so that responses never displace requests.
 */
export class RecordBuffer {
  readonly #limit: number;
  readonly #maxBytes: number;
  #records: (JournalRecord | undefined)[] = [];
  #first = 0;
  /** The first record that may have the body of its response. */
  #firstResponse = 0;
  #bytes = 0;
  #released = 0;

  constructor(limit: number, maxBytes: number) {
    this.#limit = limit;
    this.#maxBytes = maxBytes;
  }

  /** Returns the records, oldest first. */
  all(): JournalRecord[] {
    return this.#records.slice(this.#first).filter((record) => record !== undefined);
  }

  /** How many records were released. */
  get released(): number {
    return this.#released;
  }

  add(record: JournalRecord): void {
    const kept = this.#withoutLargeTexts(record);
    this.#records.push(kept);
    this.#bytes += sizeOf(kept) + responseSize(kept);
    while (this.#records.length - this.#first > this.#limit) this.#drop();
    while (this.#bytes > this.#maxBytes && this.#firstResponse < this.#records.length) this.#dropResponse();
    while (this.#bytes > this.#maxBytes && this.#first < this.#records.length) this.#drop();
  }

  clear(): void {
    this.#records = [];
    this.#first = 0;
    this.#firstResponse = 0;
    this.#bytes = 0;
    this.#released = 0;
  }

  /** A single text never takes more than a quarter of the journal. */
  #withoutLargeTexts(record: JournalRecord): JournalRecord {
    const most = this.#maxBytes / 4 / CHARACTER_SIZE;
    const { body, target, headers, response } = record;
    const isLargeBody = body !== undefined && body.length > most;
    const isLargeResponse = response !== null && bodyLength(response) > most;
    if (!isLargeBody && !isLargeResponse && target.length <= most && lengthOf(headers) <= most) return record;
    return {
      ...record,
      target: target.length > most ? target.slice(0, TARGET_HEAD) : target,
      headers: lengthOf(headers) > most ? {} : headers,
      ...(isLargeBody && { body: undefined, omittedBody: body.length }),
      ...(isLargeResponse && { response: withoutBody(response) }),
    };
  }

  #dropResponse(): void {
    const at = this.#firstResponse;
    this.#firstResponse += 1;
    const record = this.#records[at];
    const response = record?.response ?? null;
    if (record === undefined || response === null || bodyLength(response) === 0) return;
    this.#bytes -= responseSize(record);
    this.#records[at] = { ...record, response: withoutBody(response) };
  }

  #drop(): void {
    const dropped = this.#records[this.#first];
    if (dropped !== undefined) this.#bytes -= sizeOf(dropped) + responseSize(dropped);
    this.#records[this.#first] = undefined;
    this.#first += 1;
    this.#released += 1;
    this.#firstResponse = Math.max(this.#firstResponse, this.#first);
    if (this.#first < 1_000 || this.#first * 2 < this.#records.length) return;
    this.#records = this.#records.slice(this.#first);
    this.#firstResponse -= this.#first;
    this.#first = 0;
  }
}

function withoutBody(response: ResponseRecord): ResponseRecord {
  return { ...response, body: null, omittedBody: bodyLength(response) };
}

function bodyLength({ body }: ResponseRecord): number {
  return body?.length ?? 0;
}

/** The size of the body of a response, which is released before the rest. */
function responseSize({ response }: JournalRecord): number {
  return response === null ? 0 : bodyLength(response) * CHARACTER_SIZE;
}

function sizeOf({ target, headers, body = "", presented = "", response, issues }: JournalRecord): number {
  let characters = target.length + lengthOf(headers) + body.length + presented.length;
  if (response !== null) characters += lengthOf(response.headers);
  for (const { path, message } of issues) characters += path.length + message.length + 50;
  return RECORD_SIZE + characters * CHARACTER_SIZE;
}

/** The characters of the values of headers; most names are shared. */
function lengthOf(headers: RequestHeaders): number {
  let characters = 0;
  for (const name in headers) characters += headers[name]?.length ?? 0;
  return characters;
}
