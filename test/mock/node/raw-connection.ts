import { type Socket, connect } from "node:net";
import { onTestFinished } from "vitest";

/** How the other side let go of a connection. */
export type End = "open" | "end" | "reset";

/** A TCP connection without any HTTP client between the test and the bytes. */
export class RawConnection {
  /** What came, as Latin-1: one character a byte. */
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

  /** Resolves once what came fulfils a condition. */
  until(condition: (connection: this) => boolean): Promise<this> {
    return new Promise((resolve) => {
      this.#changed = () => {
        if (condition(this)) resolve(this);
      };
      this.#changed();
    });
  }

  /** Resolves with how the connection ended. */
  async over(): Promise<End> {
    await this.until(({ end }) => end !== "open");
    return this.end;
  }

  /** The body of the only answer. */
  get body(): string {
    return this.received.slice(this.received.indexOf("\r\n\r\n") + 4);
  }

  #ended(end: End): void {
    if (this.end === "open") this.end = end;
    this.#changed();
  }
}

/** A request as it stands on the wire. */
export function wire(
  method: string,
  target: string,
  headers: Record<string, string | number> = {},
  body = "",
): string {
  const lines = Object.entries({ host: "127.0.0.1", ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}
