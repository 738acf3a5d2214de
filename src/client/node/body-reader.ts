import { ByteCollector } from "../../wire/byte-collector.ts";
import { createDecoder, type Decoder, type Sink, type Source } from "./decoding.ts";

/** The decoded bytes of a body; `complete` is false if it is longer than the limit. */
export interface Body {
  bytes: Uint8Array;
  complete: boolean;
}

interface BodyOptions {
  /** The limit in decoded bytes. */
  limit: number;
  /** The content encodings, the outermost first. */
  encodings: readonly string[];
  source: Source;
}

/** Decodes and collects a body up to a limit of decoded bytes. */
export class BodyReader implements Sink {
  readonly #limit: number;
  readonly #decoder: Decoder | undefined;
  readonly #resolve: (body: Body) => void;
  readonly #reject: (error: unknown) => void;
  readonly #bytes = new ByteCollector();
  #settled = false;

  constructor(
    { limit, encodings, source }: BodyOptions,
    resolve: (body: Body) => void,
    reject: (error: unknown) => void,
  ) {
    this.#limit = limit;
    this.#resolve = resolve;
    this.#reject = reject;
    const decoded: Sink = {
      write: (chunk) => this.#collect(chunk),
      end: () => this.#finish(true),
      fail: (error) => this.fail(error),
    };
    this.#decoder = encodings.length === 0 ? undefined : createDecoder(encodings, source, decoded);
  }

  write(chunk: Uint8Array): boolean {
    if (this.#settled) return true;
    return this.#decoder === undefined ? this.#collect(chunk) : this.#decoder.write(chunk);
  }

  end(): void {
    if (this.#settled) return;
    if (this.#decoder === undefined) this.#finish(true);
    else this.#decoder.end();
  }

  fail(error: unknown): void {
    if (this.#settled) return;
    this.#settle();
    this.#reject(error);
  }

  #collect(chunk: Uint8Array): boolean {
    if (this.#settled) return true;
    const room = this.#limit - this.#bytes.size;
    const taken = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#bytes.add(taken);
    if (taken !== chunk) this.#finish(false);
    return true;
  }

  #finish(complete: boolean): void {
    if (this.#settled) return;
    const bytes = this.#bytes.take();
    this.#settle();
    this.#resolve({ bytes, complete });
  }

  #settle(): void {
    this.#settled = true;
    this.#bytes.take();
    this.#decoder?.destroy();
  }
}
