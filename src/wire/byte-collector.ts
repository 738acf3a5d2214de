/** Smaller chunks are copied into blocks: each chunk of a platform is an object that may keep a larger buffer alive. */
const minLength = 16_384;

const blockLength = 65_536;

/** Collects the chunks of a body: memory follows the number of bytes, and a peer cannot raise it with small chunks. */
export class ByteCollector {
  #chunks: Uint8Array[] = [];
  #block: Uint8Array | undefined;
  /** The number of bytes in the block. */
  #used = 0;
  /** The number of collected bytes. */
  size = 0;

  add(chunk: Uint8Array): void {
    this.size += chunk.length;
    // most bodies are one chunk, which needs no copy
    if (chunk.length >= minLength || this.size === chunk.length) {
      this.#closeBlock();
      this.#chunks.push(chunk);
      return;
    }
    if (this.#used + chunk.length > blockLength) this.#closeBlock();
    this.#block ??= new Uint8Array(blockLength);
    this.#block.set(chunk, this.#used);
    this.#used += chunk.length;
  }

  #closeBlock(): void {
    if (this.#block !== undefined) this.#chunks.push(this.#block.slice(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }

  /** Returns the bytes and forgets them. */
  take(): Uint8Array<ArrayBuffer> {
    this.#closeBlock();
    const bytes = join(this.#chunks, this.size);
    this.#chunks = [];
    this.size = 0;
    return bytes;
  }
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first as Uint8Array<ArrayBuffer>; // no chunk is shared
  const joined = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}
