import type { Server } from "node:http";
import type { Socket } from "node:net";

/** While the server closes, a connection on which nothing moves for that many milliseconds is ended. */
const CLOSE_TIMEOUT = 500;

/** What a connection is owed: answers to requests that are still being read, and answers that are held back. */
interface PendingWork {
  reading: number;
  late: number;
}

/** The connections of a server, and what an orderly end has to wait for. */
export class Connections {
  readonly #server: Server;
  readonly #owed = new Map<Socket, PendingWork>();
  #closed: Promise<void> | undefined;

  constructor(server: Server) {
    this.#server = server;
    // With its own way to close, Node cuts answers off that were written and are still on their way.
    server.closeIdleConnections = () => {};
    server.on("connection", (socket) => {
      this.#owed.set(socket, { reading: 0, late: 0 });
      socket.once("close", () => this.#owed.delete(socket));
    });
  }

  /** A request's body is being read (1), or was (-1). */
  reading(socket: Socket, step: 1 | -1): void {
    const owed = this.#owed.get(socket);
    if (owed === undefined) return;
    owed.reading += step;
    this.#endIfDone(socket, owed);
  }

  /** Whether a request of this connection is still being read. */
  isReading(socket: Socket): boolean {
    return (this.#owed.get(socket)?.reading ?? 0) > 0;
  }

  /** An answer is held back for a delay (1), or has left or will never leave (-1). */
  late(socket: Socket, step: 1 | -1): void {
    const owed = this.#owed.get(socket);
    if (owed === undefined) return;
    owed.late += step;
    this.#endIfDone(socket, owed);
  }

  /** Takes no more connections, ends those that are owed nothing, and waits for the others. */
  close(): Promise<void> {
    if (this.#closed === undefined) {
      this.#closed = new Promise((resolve) => {
        this.#server.close(() => resolve());
      });
      for (const [socket, owed] of this.#owed) this.#endIfDone(socket, owed);
    }
    return this.#closed;
  }

  #endIfDone(socket: Socket, { reading, late }: PendingWork): void {
    if (this.#closed === undefined) return;
    socket.setTimeout(late > 0 ? 0 : CLOSE_TIMEOUT, () => socket.destroy());
    // what was written before still leaves
    if (late === 0 && reading === 0) socket.destroySoon();
  }
}
