/** Shorter texts are left to Node, which writes them together with their head. */
const LARGE = 4_096;

/** Bytes of the memory that large texts are encoded into, one behind the other. */
const SLAB = 1_048_576;

/** Most bytes that a UTF-16 unit takes in UTF-8. */
const WIDEST = 3;

/**
 * Makes of a body what is handed to a socket. A large one is encoded here, in one pass: Node would count its bytes
 * first and then take memory for each of them anew, which costs as much as writing its JSON.
 */
export class BodyEncoder {
  #slab = Buffer.alloc(0);

  encode(text: string): string | Buffer {
    const room = text.length * WIDEST;
    if (text.length < LARGE || room > SLAB) return text;
    if (room > this.#slab.length) this.#slab = Buffer.allocUnsafeSlow(SLAB);
    const length = this.#slab.write(text);
    const body = this.#slab.subarray(0, length);
    // It may be on its way for long: what was given out is never written to again.
    this.#slab = this.#slab.subarray(length);
    return body;
  }
}
