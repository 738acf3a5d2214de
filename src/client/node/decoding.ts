import * as zlib from "node:zlib";
import { toFailure } from "./failure.ts";

/** The target of the bytes of a body. `write` returns false if the source should pause. */
export interface Sink {
  write(chunk: Uint8Array): boolean;
  end(): void;
  fail(error: Error): void;
}

/** The source of the bytes of a body. */
export interface Source {
  resume(): void;
}

/** Decodes the bytes written to it. */
export interface Decoder {
  write(chunk: Uint8Array): boolean;
  end(): void;
  destroy(): void;
}

type Decompressor = zlib.Gunzip | zlib.BrotliDecompress;

/** A longer chain of encodings only costs time. */
const maxEncodings = 5;

/** `fetch` accepts a body whose compressed form lacks its end, and so do browsers; what is missing of the JSON is an error. */
const tolerant = { finishFlush: zlib.constants.Z_SYNC_FLUSH };

/** Opens the decompressor of an encoding, given the first byte of its input. */
const decompressors: Readonly<Record<string, (first: number) => Decompressor>> = {
  gzip: () => zlib.createGunzip(tolerant),
  "x-gzip": () => zlib.createGunzip(tolerant),
  br: () => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
  // Node.js 22.15 and later
  ...(typeof zlib.createZstdDecompress === "function" && {
    zstd: () => zlib.createZstdDecompress(),
  }),
  // some servers omit the zlib header, whose first byte has 8 in its lower half
  deflate: (first) =>
    (first & 0x0f) === 0x08 ? zlib.createInflate(tolerant) : zlib.createInflateRaw(tolerant),
};

/**
 * Returns the encodings of a `content-encoding`, the outermost first. Empty if one is unknown: the body is not decoded.
 */
export function encodingsOf(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  const names = String(header)
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
  return names.every((name) => Object.hasOwn(decompressors, name)) ? names.toReversed() : [];
}

/** Decodes from `source` to `sink`, one stage for each encoding. */
export function createDecoder(encodings: readonly string[], source: Source, sink: Sink): Decoder {
  if (encodings.length > maxEncodings)
    throw new Error(
      `the body has ${encodings.length} content encodings; at most ${maxEncodings} are decoded`,
    );
  const stages: Stage[] = [];
  for (const encoding of encodings.toReversed()) stages.unshift(new Stage(encoding, stages[0] ?? sink));
  stages.forEach((stage, index) => {
    stage.source = stages[index - 1] ?? source;
  });
  return new Chain(stages);
}

class Chain implements Decoder {
  readonly #stages: readonly Stage[];

  constructor(stages: readonly Stage[]) {
    this.#stages = stages;
  }

  write(chunk: Uint8Array): boolean {
    return this.#stages[0]?.write(chunk) ?? true;
  }

  end(): void {
    this.#stages[0]?.end();
  }

  destroy(): void {
    for (const stage of this.#stages) stage.destroy();
  }
}

/** One decompressor, opened with its first byte: an empty body is valid in every encoding. */
class Stage implements Sink, Source {
  readonly #encoding: string;
  readonly #sink: Sink;
  #stream: Decompressor | undefined;
  source: Source | undefined;

  constructor(encoding: string, sink: Sink) {
    this.#encoding = encoding;
    this.#sink = sink;
  }

  write(chunk: Uint8Array): boolean {
    const [first] = chunk;
    if (first === undefined) return true;
    this.#stream ??= this.#open(first);
    return this.#stream.write(chunk);
  }

  end(): void {
    if (this.#stream === undefined) this.#sink.end();
    else this.#stream.end();
  }

  fail(error: Error): void {
    this.#sink.fail(error);
  }

  resume(): void {
    this.#stream?.resume();
  }

  destroy(): void {
    this.#stream?.destroy();
  }

  #open(first: number): Decompressor {
    const stream = (decompressors[this.#encoding] as (first: number) => Decompressor)(first); // its name was checked
    stream.on("data", (chunk: Uint8Array) => {
      if (!this.#sink.write(chunk)) stream.pause();
    });
    stream.on("drain", () => this.source?.resume());
    stream.on("end", () => this.#sink.end());
    stream.on("error", (error) => {
      const { message, ...code } = toFailure(error);
      this.#sink.fail(Object.assign(new Error(`the body is not valid ${this.#encoding}: ${message}`), code));
    });
    return stream;
  }
}
