import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

interface Message {
  type: string;
  request_seq?: number;
  success?: boolean;
  message?: string;
  body?: { entries?: { name: string }[] };
}

/** TypeScript's language server, used like an editor does. */
export class TsServer {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #sequence = 0;

  constructor(project: string) {
    const server = fileURLToPath(import.meta.resolve("typescript/lib/tsserver.js"));
    this.#process = spawn(process.execPath, [server, "--disableAutomaticTypingAcquisition"], {
      cwd: project,
      stdio: ["pipe", "pipe", "ignore"],
    });
    if (this.#process.stdout === null) throw new Error("tsserver has no output");
    createInterface(this.#process.stdout).on("line", (line) => this.#receive(line));
  }

  open(file: string, fileContent: string): void {
    this.#send("open", { file, fileContent });
  }

  /** Types a text at a position, counted from 1. */
  type(file: string, line: number, offset: number, insertString: string): void {
    this.#send("change", { file, line, offset, endLine: line, endOffset: offset, insertString });
  }

  /** The names of the completions at a position, counted from 1. */
  async completions(file: string, line: number, offset: number): Promise<string[]> {
    const response = new Promise<Message>((resolve) => {
      this.#waiting.set(this.#send("completionInfo", { file, line, offset }), resolve);
    });
    const { success, message, body } = await response;
    if (success !== true) throw new Error(`tsserver: ${message}`);
    return (body?.entries ?? []).map(({ name }) => name);
  }

  /** Waits until it has started. */
  async ready(): Promise<void> {
    await new Promise<Message>((resolve) => this.#waiting.set(this.#send("configure", {}), resolve));
  }

  async stop(): Promise<void> {
    const gone = once(this.#process, "exit");
    this.#process.kill();
    await gone;
  }

  #send(command: string, args: object): number {
    this.#sequence += 1;
    const request = { seq: this.#sequence, type: "request", command, arguments: args };
    this.#process.stdin?.write(`${JSON.stringify(request)}\n`);
    return this.#sequence;
  }

  #receive(line: string): void {
    if (!line.startsWith("{")) return;
    const message = JSON.parse(line) as Message;
    if (message.type !== "response" || message.request_seq === undefined) return;
    this.#waiting.get(message.request_seq)?.(message);
    this.#waiting.delete(message.request_seq);
  }
}
