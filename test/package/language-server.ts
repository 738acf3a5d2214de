import { type ChildProcess, spawn } from "node:child_process";

interface Message {
  id?: number;
  method?: string;
  params?: object;
  result?: unknown;
}

/** A language server over its standard streams, asked one thing after the other. */
export class LanguageServer {
  readonly #process: ChildProcess;
  readonly #pending = new Map<number, (message: Message | Error) => void>();
  #received = Buffer.alloc(0);
  #last = 0;

  constructor(program: string, args: string[]) {
    this.#process = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"] });
    this.#process.stdout?.on("data", (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      for (let message = this.#next(); message; message = this.#next()) this.#take(message);
    });
    this.#process.once("exit", () => {
      for (const settle of this.#pending.values()) settle(new Error("the language server has ended"));
    });
  }

  tell(method: string, params?: object): void {
    this.#send({ method, ...(params && { params }) });
  }

  async request(method: string, params?: object): Promise<unknown> {
    const id = ++this.#last;
    this.#send({ id, method, ...(params && { params }) });
    const response = await new Promise<Message | Error>((resolve) => this.#pending.set(id, resolve));
    if (response instanceof Error) throw response;
    return response.result;
  }

  async close(): Promise<void> {
    await this.request("shutdown");
    this.tell("exit");
  }

  #send(message: Message): void {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#process.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  /** The first message that has arrived whole. */
  #next(): Message | undefined {
    const head = /^Content-Length: (\d+)\r\n(?:.+\r\n)*?\r\n/.exec(this.#received.toString("latin1"));
    const end = head === null ? Infinity : head[0].length + Number(head[1]);
    if (head === null || this.#received.length < end) return undefined;
    const text = this.#received.subarray(head[0].length, end).toString();
    this.#received = this.#received.subarray(end);
    return JSON.parse(text) as Message;
  }

  /** Passes a response to its request. Replies with null to requests of the server, which are not supported. */
  #take(message: Message): void {
    if (message.id === undefined) return;
    if (message.method !== undefined) this.#send({ id: message.id, result: null });
    else this.#pending.get(message.id)?.(message);
  }
}
