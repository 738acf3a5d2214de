import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { ByteCollector } from "../../wire/byte-collector.ts";
import type { Body } from "./check/exchange.ts";

/** The number of bytes of a body that are copied, before and after decoding. */
const MAX_BYTES = 8_388_608;

/** The number of nested content codings that are decoded. */
const MAX_CODINGS = 3;

/** Collects a bounded copy of a body that passes through. */
export class BodyCopy {
  readonly #bytes = new ByteCollector();
  /** The number of bytes that passed through. */
  size = 0;
  /** Whether the body has ended. */
  isWhole = false;

  add(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size <= MAX_BYTES) this.#bytes.add(chunk);
    else this.#bytes.take();
  }

  async decode(contentEncoding: string | undefined): Promise<Body> {
    if (!this.isWhole) return { kind: "unread", reason: "it was cut short" };
    if (this.size === 0) return { kind: "none" };
    if (this.size > MAX_BYTES) return { kind: "unread", reason: "it is too large" };
    return decodeBody(this.#bytes.take(), contentEncoding);
  }
}

const options = { maxOutputLength: MAX_BYTES };

const inflate = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const gunzip = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const brotli = promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  gzip: (bytes) => gunzip(bytes, options),
  "x-gzip": (bytes) => gunzip(bytes, options),
  // some servers omit the zlib header
  deflate: (bytes) => (((bytes[0] ?? 0) & 0x0f) === 8 ? inflate(bytes, options) : inflateRaw(bytes, options)),
  br: (bytes) => brotli(bytes, options),
  identity: (bytes) => Promise.resolve(bytes),
};

async function decodeBody(bytes: Uint8Array, contentEncoding = ""): Promise<Body> {
  const codings = contentEncoding
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "")
    .toReversed();
  if (codings.length > MAX_CODINGS) return { kind: "unread", reason: "it has too many codings" };
  let plain = bytes;
  for (const coding of codings) {
    const decode = DECODERS[coding];
    if (decode === undefined) return { kind: "unread", reason: "its coding is not known" };
    try {
      plain = await decode(plain);
    } catch (error) {
      const isLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE"; // zlib throws only this error
      if (isLarge) return { kind: "unread", reason: "it is too large" };
      return { kind: "broken", reason: `bytes that are not ${coding}` };
    }
  }
  return decodeText(plain);
}

function decodeText(bytes: Uint8Array): Body {
  if (bytes.length === 0) return { kind: "none" };
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: "broken", reason: "bytes that are not UTF-8" };
  }
}
