import { createHmac, randomBytes } from "node:crypto";
import { type WriteStream, createWriteStream, fchmodSync, fstatSync, openSync } from "node:fs";
import { objectOf } from "../../../wire/json.ts";
import { escapeLine } from "../../../wire/foreign-text.ts";
import { redactValue } from "../../../wire/redact-json.ts";
import type { Redactor } from "../../../wire/redaction.ts";
import { type LogRecord, type LoggedExchange, recordOf } from "./record.ts";

/** The largest number of characters of a line; a larger body is left out. */
const MAX_LINE_LENGTH = 1_048_576;

/** The largest number of characters of a path or a query in a line without its body. */
const MAX_PATH_LENGTH = 2_000;

/** The number of bytes that may wait for a slow disk; further lines are dropped. */
const MAX_WAITING = 33_554_432;

/** A log of exchanges in a file that only its owner can read: one JSON object for each line. */
export class LogFile {
  readonly #stream: WriteStream;
  readonly #key = randomBytes(32);
  #failure: string | undefined;
  /** The number of lines that were not written. */
  dropped = 0;

  /** Opens a file to append to it. @throws Node's error if it cannot */
  constructor(path: string) {
    const fd = openSync(path, "a", 0o600);
    // the file may have existed with other permissions; those of a device, such as /dev/null, concern every program
    if (fstatSync(fd).isFile()) fchmodSync(fd, 0o600);
    this.#stream = createWriteStream("", { fd });
    this.#stream.on("error", (error: NodeJS.ErrnoException) => {
      this.#failure ??= error.code ?? "it cannot be written";
    });
  }

  /** The reason that lines are missing. */
  get failure(): string | undefined {
    if (this.#failure !== undefined) return this.#failure;
    return this.dropped > 0 ? "the disk was too slow" : undefined;
  }

  /** Writes the line of an exchange. The redactor knows the secrets of the requests. */
  add(exchange: LoggedExchange, redactor: Redactor): void {
    if (this.#failure !== undefined || this.#stream.writableLength > MAX_WAITING) {
      this.dropped += 1;
      return;
    }
    this.#stream.write(`${escapeLine(this.#line(exchange, redactor))}\n`);
  }

  #line(exchange: LoggedExchange, redactor: Redactor): string {
    const whole = this.#record(exchange);
    if (JSON.stringify(whole).length <= MAX_LINE_LENGTH) return toJson(whole, redactor);
    const path = exchange.path.slice(0, MAX_PATH_LENGTH);
    const query = exchange.query.slice(0, MAX_PATH_LENGTH);
    const short = { ...exchange, path, query, body: { kind: "unread", reason: "it is too large" } as const };
    return toJson(this.#record(short), redactor);
  }

  #record(exchange: LoggedExchange): LogRecord {
    return recordOf(exchange, new Date(), (text) => this.#pseudonym(text));
  }

  /** Returns 64 hexadecimal digits, which differ between logs for the same string. */
  #pseudonym(text: string): string {
    return createHmac("sha256", this.#key).update(text).digest("hex");
  }

  /** Resolves when every line is written or cannot be written. */
  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#stream.once("close", resolve);
      this.#stream.end();
      if (this.#stream.closed) resolve();
    });
  }
}

/** Returns a record without secrets. A secret such as `200` does not change the log's own properties. */
function toJson(record: LogRecord, redactor: Redactor): string {
  const line = JSON.stringify(record);
  if (redactor.redact(line) === line) return line; // faster than a search in each value
  const { url, path, contentType, body } = record;
  const foreign = redactValue({ url, path, contentType, body }, redactor);
  return JSON.stringify({ ...record, ...objectOf(foreign) });
}
