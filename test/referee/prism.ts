import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const program = `${here}node_modules/@stoplight/prism-cli/dist/index.js`;

/** The time in ms after which a Prism that does not listen is given up. */
const PATIENCE = 30_000;

/** `prism proxy`: forwards requests to a server and validates its responses against a document. */
export class Prism {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  /** Requests are not validated, because most error statuses are responses to invalid requests. */
  static async start(document: string, upstream: string): Promise<Prism> {
    const port = await freePort();
    const flags = ["--errors", "--validate-request", "false", "--verboseLevel", "warn"];
    const child = spawn(
      process.execPath,
      [program, "proxy", document, upstream, "--port", String(port), ...flags],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-4_000)));
    child.stderr.on("data", (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-4_000)));
    const prism = new Prism(`http://127.0.0.1:${port}`, child);
    const deadline = Date.now() + PATIENCE;
    while (!(await prism.#listens())) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`Prism does not start: ${output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return prism;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill();
    await ended;
  }

  /** any response shows that it listens */
  #listens(): Promise<boolean> {
    return fetch(this.url).then(
      () => true,
      () => false,
    );
  }
}

/** A port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // the server listens on a port, not on a pipe
  server.close();
  await once(server, "close");
  return port;
}
