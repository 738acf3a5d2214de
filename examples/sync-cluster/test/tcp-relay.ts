import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** The port of the next relay. No system gives ports below 32,768 to other programs while a relay does not listen. */
let nextPort = 10_000 + (process.pid % 20_000);

/**
 * Relays connections to a server on a socket. A test can close all of them, and accept connections again. The port is kept
 * while the server is restarted.
 */
export class TcpRelay implements AsyncDisposable {
  /** The socket of the server. */
  target: string;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  readonly #port = nextPort++;

  constructor(target: string) {
    this.target = target;
  }

  /** Returns the port on this side, which does not change. */
  async reconnect(): Promise<number> {
    this.#server = createServer((near) => this.#join(near, connect(this.target)));
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    return this.#port;
  }

  #join(near: Socket, far: Socket): void {
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one);
      one.pipe(other);
      one.on("error", () => {}); // the other side has gone, or the relay is disconnected
      one.once("close", () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }

  async disconnect(): Promise<void> {
    if (this.#server === undefined) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.#server = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disconnect();
  }
}
