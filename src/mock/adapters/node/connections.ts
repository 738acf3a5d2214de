import type { Server } from "node:http";
import type { Socket } from "node:net";

/** How long a connection may be idle while the server closes, in milliseconds. */
const CLOSE_TIMEOUT = 500;

/** What a connection waits for: requests that are still being read, and delayed responses. */
interface PendingWork {
  reading: number;
  late: number;
}

/** The connections of a server, for an orderly shutdown. */
export class Connections {
  readonly #server: Server;
  readonly #owed = new Map<Socket, PendingWork>();
  #closed: Promise<void> | undefined;

  constructor(server: Server) {
    this.#server = server;
    // Node's own shutdown cuts off responses that were written and are not sent yet.
    server.closeIdleConnections = () => {};
    server.on("connection", (socket) => {
      this.#owed.set(socket, { reading: 0, late: 0 });
      socket.once("close", () => this.#owed.delete(socket));
    });
  }

  /** Counts a request body that is being read (1), or that was read (-1). */
  reading(socket: Socket, step: 1 | -1): void {
    const owed = this.#owed.get(socket);
    if (owed === undefined) return;
    owed.reading += step;
    this.#endIfDone(socket, owed);
  }

  /** Whether a request body of this connection is being read. */
  isReading(socket: Socket): boolean {
    return (this.#owed.get(socket)?.reading ?? 0) > 0;
  }

  /** Counts a delayed response (1), or one that was sent or dropped (-1). */
  late(socket: Socket, step: 1 | -1): void {
    const owed = this.#owed.get(socket);
    if (owed === undefined) return;
    owed.late += step;
    this.#endIfDone(socket, owed);
  }

  /** Accepts no more connections, ends the idle ones and waits for the others. */
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
    // sends what was written before
    if (late === 0 && reading === 0) socket.destroySoon();
  }
}
