import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";

const createGzip = (): Transform => createGunzip();

/** Creates the decoder of a coding for a body that begins with a chunk. */
const codings = new Map<string, (chunk: Uint8Array) => Transform>([
  ["gzip", createGzip],
  ["x-gzip", createGzip],
  ["br", () => createBrotliDecompress()],
  // some servers leave out the header of zlib, as browsers know
  ["deflate", ([head = 0]) => ((head & 15) === 8 ? createInflate() : createInflateRaw())],
]);

/** The most codings of one body. */
const maxCodings = 5;

/** Creates the decoders of a body, in the order in which they are used; none if it is not encoded, or in an unknown way. */
export function createDecoders(contentEncoding: string, chunk: Uint8Array): Transform[] {
  const names = contentEncoding.toLowerCase().split(",");
  const known = names.flatMap((name) => codings.get(name.trim()) ?? []).toReversed();
  if (known.length < names.length || names.length > maxCodings) return [];
  // of the others the first bytes are not known, and zlib's header is the rule
  const decoders = known.map((create, index) => create(index === 0 ? chunk : Uint8Array.of(8)));
  for (const [index, decoder] of decoders.entries()) decoders[index - 1]?.pipe(decoder);
  return decoders;
}
