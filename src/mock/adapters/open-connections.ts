import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The time for which a connection may be idle while the server closes, in milliseconds. */
const CLOSE_TIMEOUT = 500;

/** The connections of a server and their unfinished responses, for an orderly shutdown. */
export class OpenConnections {
  readonly #server: Server;
  /** The number of unfinished responses of each connection. */
  readonly #unfinished = new Map<Socket, number>();
  #closed: Promise<void> | undefined;

  constructor(server: Server) {
    this.#server = server;
    // Node's own shutdown cuts off responses that were written and are not sent yet
    server.closeIdleConnections = () => {};
    server.on("connection", (socket) => {
      this.#unfinished.set(socket, 0);
      socket.once("close", () => this.#unfinished.delete(socket));
    });
  }

  /** Counts a response until it is sent. */
  count(socket: Socket, response: ServerResponse): void {
    this.#add(socket, 1);
    response.once("close", () => this.#add(socket, -1));
  }

  #add(socket: Socket, step: 1 | -1): void {
    const count = this.#unfinished.get(socket);
    if (count === undefined) return;
    this.#unfinished.set(socket, count + step);
    // sends what was written before
    if (this.#closed !== undefined && count + step === 0) socket.destroySoon();
  }

  /** Accepts no more connections, ends those without an unfinished response, and the others when they are idle. */
  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const [socket, count] of this.#unfinished) {
        socket.setTimeout(CLOSE_TIMEOUT, () => socket.destroy());
        if (count === 0) socket.destroySoon();
      }
    });
    return this.#closed;
  }
}
