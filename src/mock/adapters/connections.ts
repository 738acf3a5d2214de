import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The time for which a connection may be idle while the server closes, in milliseconds. */
const CLOSE_TIMEOUT = 500;

/**
 * The largest number of bytes of responses that wait on one connection: a client may send requests without reading
 * responses. Node itself pauses a connection with many small responses.
 */
const MAX_UNSENT = 1_048_576;
const SMALL_RESPONSE = 4_096;

/** The work that a connection waits for. */
interface PendingWork {
  /** Request bodies that are being read, and delayed responses. */
  bodyReads: number;
  delayed: number;
  /** Bytes of responses that are not sent yet. */
  unsent: number;
  /** Requests that wait until those bytes are sent. */
  readonly waiting: (() => void)[];
}

/** The connections of a server, for an orderly shutdown. */
export class Connections {
  readonly #server: Server;
  readonly #pending = new Map<Socket, PendingWork>();
  #closed: Promise<void> | undefined;

  constructor(server: Server) {
    this.#server = server;
    // Node's own shutdown cuts off responses that were written and are not sent yet
    server.closeIdleConnections = () => {};
    server.on("connection", (socket) => {
      this.#pending.set(socket, { bodyReads: 0, delayed: 0, unsent: 0, waiting: [] });
      socket.once("close", () => this.#pending.delete(socket));
    });
  }

  /** Counts a request body that is being read, or a delayed response (1), and its end (-1). */
  count(socket: Socket, work: "bodyReads" | "delayed", step: 1 | -1): void {
    const pending = this.#pending.get(socket);
    if (pending === undefined) return;
    pending[work] += step;
    this.#endIfDone(socket, pending);
  }

  /** Whether a request body of this connection is being read. */
  isReadingBody(socket: Socket): boolean {
    return (this.#pending.get(socket)?.bodyReads ?? 0) > 0;
  }

  /** Runs a request when enough earlier responses of its connection are sent. */
  whenWritable(socket: Socket, run: () => void): void {
    const pending = this.#pending.get(socket);
    if (pending === undefined || (pending.unsent <= MAX_UNSENT && pending.waiting.length === 0)) run();
    else pending.waiting.push(run);
  }

  /** Counts the bytes of a response until it is sent. */
  countUnsent(socket: Socket, response: ServerResponse, bytes: number): void {
    const pending = this.#pending.get(socket);
    if (pending === undefined || bytes < SMALL_RESPONSE) return;
    pending.unsent += bytes;
    response.once("finish", () => {
      pending.unsent -= bytes;
      while (pending.unsent <= MAX_UNSENT && pending.waiting.length > 0) pending.waiting.shift()?.();
      this.#endIfDone(socket, pending);
    });
  }

  /** Accepts no more connections, ends the idle ones and waits for the others. */
  close(): Promise<void> {
    if (this.#closed === undefined) {
      this.#closed = new Promise((resolve) => {
        this.#server.close(() => resolve());
      });
      for (const [socket, pending] of this.#pending) this.#endIfDone(socket, pending);
    }
    return this.#closed;
  }

  #endIfDone(socket: Socket, { bodyReads, delayed, waiting }: PendingWork): void {
    if (this.#closed === undefined) return;
    socket.setTimeout(delayed > 0 ? 0 : CLOSE_TIMEOUT, () => socket.destroy());
    // sends what was written before
    if (delayed === 0 && bodyReads === 0 && waiting.length === 0) socket.destroySoon();
  }
}
