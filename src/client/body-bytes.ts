/** Chunks below this size are joined as they come: each object costs more memory than its bytes. */
const smallChunk = 4096;

/** The largest block that small chunks are copied to. */
const largestBlock = 65_536;

/** The bytes of a body that arrives in chunks. A single chunk is not copied. */
export class BodyBytes {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  /** Small chunks are copied to it. The part from `start` to `end` is not among the chunks yet. */
  #block = new Uint8Array();
  #start = 0;
  #end = 0;

  /** The number of bytes so far. */
  get size(): number {
    return this.#size;
  }

  add(chunk: Uint8Array): void {
    const isSmall = this.#size > 0 && chunk.length < smallChunk;
    this.#size += chunk.length;
    if (!isSmall || this.#end + chunk.length > this.#block.length) this.#flush();
    if (!isSmall) {
      this.#chunks.push(chunk);
      return;
    }
    if (this.#end + chunk.length > this.#block.length) {
      this.#block = new Uint8Array(Math.min(largestBlock, Math.max(2 * smallChunk, this.#size)));
      this.#start = 0;
      this.#end = 0;
    }
    this.#block.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** Returns the first `limit` bytes. */
  read(limit: number): Uint8Array {
    this.#flush();
    const [first = new Uint8Array()] = this.#chunks;
    if (this.#chunks.length <= 1) return first.subarray(0, limit);
    const bytes = new Uint8Array(this.#size);
    let offset = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
    return bytes.subarray(0, limit);
  }

  #flush(): void {
    if (this.#end > this.#start) this.#chunks.push(this.#block.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }
}
