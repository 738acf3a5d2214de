import type { Readable, Writable } from "node:stream";

/**
 * Writes the bytes of a stream to another one as they arrive. Unlike `pipe` it joins the chunks that have arrived, so that
 * memory follows the bytes and not the chunks. It does not end the target. `onBytes` receives what is written.
 */
export function copyStream(source: Readable, target: Writable, onBytes: (bytes: Buffer) => void): void {
  let isWaiting = false;
  const move = (): void => {
    if (isWaiting) return;
    while (!target.writableNeedDrain) {
      const bytes = source.read() as Buffer | null; // neither stream has an encoding
      if (bytes === null) return;
      onBytes(bytes);
      target.write(bytes);
    }
    isWaiting = true;
    target.once("drain", () => {
      isWaiting = false;
      move();
    });
  };
  source.on("readable", move);
}
