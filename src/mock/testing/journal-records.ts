import type { Issue } from "../http/api-response.ts";
import type { FaultKind } from "../http/faults.ts";
import type { RequestHeaders } from "../http/request.ts";

/** A response as it is recorded; the journal may release its body later. */
export interface ResponseRecord {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  body: string | null;
  /** The size of a body that is not kept, in characters. */
  omittedBody?: number;
}

/** A request as it is recorded; its strings are redacted and parsed when the journal is read. */
export interface JournalRecord<Operation extends string = string, Base extends string = string> {
  operation: Operation | null;
  base: Base;
  method: string;
  target: string;
  /** Decoded path parameters. */
  params: Readonly<Record<string, string>>;
  headers: RequestHeaders;
  body: string | undefined;
  omittedBody?: number;
  /** Unknown secrets that the request presented, which are also redacted. */
  presented: readonly string[];
  /** `null` if a fault replaced the response. */
  response: ResponseRecord | null;
  at: number;
  fault: FaultKind | undefined;
  /** The IDs of the overrides that applied. */
  overrides?: readonly number[] | undefined;
  issues: readonly Issue[];
}

/** The size of a record without its strings, in bytes. */
const RECORD_SIZE = 300;

/** A string takes at most two bytes per character. */
const CHARACTER_SIZE = 2;

/**
 * Bodies of responses take at most this many bytes, or an eighth of a larger journal. More of them would double the
 * memory of a server while 100 000 stores are listed.
 */
const RESPONSE_BYTES = 1_048_576;

/** The number of characters that are kept of a target that is too large. */
const TARGET_HEAD = 1_000;

/**
 * The latest records, bounded by their number and by their size in bytes. If they exceed the bytes, the bodies of
 * the oldest responses are released first, then the oldest records, so that responses never displace requests.
 */
export class RecordBuffer<Operation extends string = string, Base extends string = string> {
  readonly #limit: number;
  readonly #maxBytes: number;
  #records: (JournalRecord<Operation, Base> | undefined)[] = [];
  /** The size of each record without the body of its response. */
  #sizes: number[] = [];
  #first = 0;
  /** The first record that may have the body of its response. */
  #firstResponse = 0;
  #bytes = 0;
  /** The part of the bytes that bodies of responses take. */
  #responseBytes = 0;
  /** The number of records that were dropped. */
  released = 0;

  constructor(limit: number, maxBytes: number) {
    this.#limit = limit;
    this.#maxBytes = maxBytes;
  }

  /** Returns the records, oldest first. */
  all(): JournalRecord<Operation, Base>[] {
    return this.#records.slice(this.#first).filter((record) => record !== undefined);
  }

  add(record: JournalRecord<Operation, Base>): void {
    const maximum = this.#maxBytes / 4 / CHARACTER_SIZE;
    const headers = lengthOf(record.headers);
    const reduced = withoutLargeTexts(record, headers, maximum);
    const size = sizeOf(reduced, headers > maximum ? 0 : headers);
    this.#records.push(reduced);
    this.#sizes.push(size);
    this.#bytes += size;
    this.#countResponse(responseSize(reduced));
    while (this.#records.length - this.#first > this.#limit) this.#drop();
    while (this.#hasTooManyResponses() && this.#firstResponse < this.#records.length) this.#dropResponse();
    while (this.#bytes > this.#maxBytes && this.#first < this.#records.length) this.#drop();
  }

  clear(): void {
    this.#records = [];
    this.#sizes = [];
    this.#first = 0;
    this.#firstResponse = 0;
    this.#bytes = 0;
    this.#responseBytes = 0;
    this.released = 0;
  }

  #countResponse(bytes: number): void {
    this.#bytes += bytes;
    this.#responseBytes += bytes;
  }

  #hasTooManyResponses(): boolean {
    return this.#bytes > this.#maxBytes || this.#responseBytes > Math.max(RESPONSE_BYTES, this.#maxBytes / 8);
  }

  #dropResponse(): void {
    const record = this.#records[this.#firstResponse];
    this.#firstResponse += 1;
    if (record === undefined) return;
    this.#countResponse(-responseSize(record));
    if (record.response !== null) releaseBody(record.response);
  }

  #drop(): void {
    const dropped = this.#records[this.#first];
    if (dropped !== undefined) {
      this.#bytes -= this.#sizes[this.#first] ?? 0;
      this.#countResponse(-responseSize(dropped));
    }
    this.#records[this.#first] = undefined;
    this.#first += 1;
    this.released += 1;
    this.#firstResponse = Math.max(this.#firstResponse, this.#first);
    if (this.#first < 1_000 || this.#first * 2 < this.#records.length) return;
    this.#records = this.#records.slice(this.#first);
    this.#sizes = this.#sizes.slice(this.#first);
    this.#firstResponse -= this.#first;
    this.#first = 0;
  }
}

/** A single string takes at most a quarter of the journal. */
function withoutLargeTexts<Operation extends string, Base extends string>(
  record: JournalRecord<Operation, Base>,
  headersLength: number,
  maximum: number,
): JournalRecord<Operation, Base> {
  const { body, target, headers, response } = record;
  if (response !== null && (response.body?.length ?? 0) > maximum) releaseBody(response);
  const isLargeBody = body !== undefined && body.length > maximum;
  if (!isLargeBody && target.length <= maximum && headersLength <= maximum) return record;
  return {
    ...record,
    target: target.length > maximum ? target.slice(0, TARGET_HEAD) : target,
    headers: headersLength > maximum ? {} : headers,
    ...(isLargeBody && { body: undefined, omittedBody: body.length }),
  };
}

function releaseBody(response: ResponseRecord): void {
  if (response.body === null) return;
  response.omittedBody = response.body.length;
  response.body = null;
}

/** The size of the body of a response, which is released before the rest. */
function responseSize({ response }: JournalRecord): number {
  return (response?.body?.length ?? 0) * CHARACTER_SIZE;
}

function sizeOf(
  { target, body = "", presented, response, issues }: JournalRecord,
  headersLength: number,
): number {
  let characters = target.length + headersLength + body.length;
  for (const secret of presented) characters += secret.length;
  if (response !== null) characters += lengthOf(response.headers);
  for (const { path, message } of issues) characters += path.length + message.length + 50;
  return RECORD_SIZE + characters * CHARACTER_SIZE;
}

/** The number of characters of the values of headers. Names are not counted, because most of them are shared. */
function lengthOf(headers: RequestHeaders): number {
  let characters = 0;
  for (const name in headers) characters += headers[name]?.length ?? 0;
  return characters;
}
