import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("prism-server.js", import.meta.url));

/** A Prism proxy: forwards requests to a server and validates its responses against a document. */
export class Prism {
  readonly #child: ChildProcess;

  constructor(document: string) {
    this.#child = fork(program, [document]);
  }

  /** Puts Prism, on another port each time, in front of a server, and returns its URL. */
  async inFrontOf(upstream: string): Promise<string> {
    this.#child.send(upstream);
    const [url] = (await Promise.race([once(this.#child, "message"), once(this.#child, "exit")])) as [
      unknown,
    ];
    if (typeof url !== "string") throw new Error(`Prism ended with ${String(url)}`);
    return url;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill();
    await ended;
  }
}
