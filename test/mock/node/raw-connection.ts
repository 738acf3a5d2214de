import { type Socket, connect } from "node:net";
import { onTestFinished } from "vitest";

/** The way in which the other side ended a connection. */
export type End = "open" | "end" | "reset";

/** A TCP connection without an HTTP client, so that tests see all bytes. */
export class RawConnection {
  /** The received bytes in Latin-1: one character per byte. */
  received = "";
  end: End = "open";
  readonly socket: Socket;
  #changed: () => void = () => {};

  constructor(port: number, host = "127.0.0.1") {
    this.socket = connect(port, host);
    this.socket.setEncoding("latin1");
    this.socket.on("data", (text: string) => {
      this.received += text;
      this.#changed();
    });
    this.socket.on("end", () => this.#ended("end"));
    this.socket.on("error", () => this.#ended("reset"));
    onTestFinished(() => {
      this.socket.destroy();
    });
  }

  send(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** Resolves when the received bytes fulfill a condition. */
  until(condition: (connection: this) => boolean): Promise<this> {
    return new Promise((resolve) => {
      this.#changed = () => {
        if (condition(this)) resolve(this);
      };
      this.#changed();
    });
  }

  /** Resolves with the way in which the connection ended. */
  async over(): Promise<End> {
    await this.until(({ end }) => end !== "open");
    return this.end;
  }

  /** The body of the only response. */
  get body(): string {
    return this.received.slice(this.received.indexOf("\r\n\r\n") + 4);
  }

  #ended(end: End): void {
    if (this.end === "open") this.end = end;
    this.#changed();
  }
}

/** A request in the form of HTTP/1.1. */
export function wire(
  method: string,
  target: string,
  headers: Record<string, string | number> = {},
  body = "",
): string {
  const lines = Object.entries({ host: "127.0.0.1", ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}
