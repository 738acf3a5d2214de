import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The time for which a connection may be idle while the server closes, in milliseconds. */
const CLOSE_TIMEOUT = 500;

/** The work that a connection waits for: requests that are still being read, and delayed responses. */
interface PendingWork {
  reading: number;
  late: number;
  /** Bytes of responses that are not sent yet. */
  unsent: number;
  /** Requests that wait until those bytes are sent. */
  readonly waiting: (() => void)[];
}

/**
 * The largest number of bytes of responses that wait on one connection: a client may send requests without reading
 * responses.
 */
const MOST_UNSENT = 1_048_576;

const SMALL_RESPONSE = 4_096;

/** The connections of a server, for an orderly shutdown. */
export class Connections {
  readonly #server: Server;
  readonly #work = new Map<Socket, PendingWork>();
  #closed: Promise<void> | undefined;

  constructor(server: Server) {
    this.#server = server;
    // Node's own shutdown cuts off responses that were written and are not sent yet.
    server.closeIdleConnections = () => {};
    server.on("connection", (socket) => {
      this.#work.set(socket, { reading: 0, late: 0, unsent: 0, waiting: [] });
      socket.once("close", () => this.#work.delete(socket));
    });
  }

  /** Counts a request body that is being read (1), or that was read (-1). */
  reading(socket: Socket, step: 1 | -1): void {
    const work = this.#work.get(socket);
    if (work === undefined) return;
    work.reading += step;
    this.#endIfDone(socket, work);
  }

  /** Whether a request body of this connection is being read. */
  isReading(socket: Socket): boolean {
    return (this.#work.get(socket)?.reading ?? 0) > 0;
  }

  /** Counts a delayed response (1), or one that was sent or dropped (-1). */
  late(socket: Socket, step: 1 | -1): void {
    const work = this.#work.get(socket);
    if (work === undefined) return;
    work.late += step;
    this.#endIfDone(socket, work);
  }

  /** Runs a request when enough earlier responses of its connection are sent. */
  whenWritable(socket: Socket, run: () => void): void {
    const work = this.#work.get(socket);
    if (work === undefined || (work.unsent <= MOST_UNSENT && work.waiting.length === 0)) run();
    else work.waiting.push(run);
  }

  /** Counts a response until it is sent. Node itself pauses a connection with many small responses. */
  sending(socket: Socket, response: ServerResponse, bytes: number): void {
    const work = this.#work.get(socket);
    if (work === undefined || bytes < SMALL_RESPONSE) return;
    work.unsent += bytes;
    response.once("finish", () => {
      work.unsent -= bytes;
      while (work.unsent <= MOST_UNSENT && work.waiting.length > 0) work.waiting.shift()?.();
      this.#endIfDone(socket, work);
    });
  }

  /** Accepts no more connections, ends the idle ones and waits for the others. */
  close(): Promise<void> {
    if (this.#closed === undefined) {
      this.#closed = new Promise((resolve) => {
        this.#server.close(() => resolve());
      });
      for (const [socket, work] of this.#work) this.#endIfDone(socket, work);
    }
    return this.#closed;
  }

  #endIfDone(socket: Socket, { reading, late, waiting }: PendingWork): void {
    if (this.#closed === undefined) return;
    socket.setTimeout(late > 0 ? 0 : CLOSE_TIMEOUT, () => socket.destroy());
    // sends what was written before
    if (late === 0 && reading === 0 && waiting.length === 0) socket.destroySoon();
  }
}
