import { createHmac, randomBytes } from "node:crypto";
import { type WriteStream, createWriteStream, fchmodSync, openSync } from "node:fs";
import { Redactor } from "../../../wire/redaction.ts";
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
  readonly #secrets = new Redactor();
  #failure: string | undefined;
  /** The number of lines that were not written. */
  dropped = 0;

  /** Opens a file to append to it. @throws Node's error if it cannot */
  constructor(path: string) {
    const fd = openSync(path, "a", 0o600);
    fchmodSync(fd, 0o600); // the file may have existed with other permissions
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

  /** Redacts a secret of a request in every later line. */
  hide(secret: string): void {
    this.#secrets.add(secret);
  }

  add(exchange: LoggedExchange): void {
    if (this.#failure !== undefined || this.#stream.writableLength > MAX_WAITING) {
      this.dropped += 1;
      return;
    }
    this.#stream.write(`${this.#line(exchange)}\n`);
  }

  #line(exchange: LoggedExchange): string {
    const whole = this.#serialize(exchange);
    if (whole !== undefined && whole.length <= MAX_LINE_LENGTH) return this.#secrets.redact(whole);
    const reason = whole === undefined ? "it is nested too deep" : "it is too large";
    const path = exchange.path.slice(0, MAX_PATH_LENGTH);
    const query = exchange.query.slice(0, MAX_PATH_LENGTH);
    const short = { ...exchange, path, query, body: { kind: "unread", reason } as const };
    return this.#secrets.redact(JSON.stringify(this.#record(short)));
  }

  /** Returns the line with its body; `undefined` if the body is nested too deeply for the stack. */
  #serialize(exchange: LoggedExchange): string | undefined {
    try {
      return JSON.stringify(this.#record(exchange));
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
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
