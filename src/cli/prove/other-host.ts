import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The number of characters of requests that are recorded. */
const maxRecord = 1_000_000;

/** Another host, to which a redirect leads. It records what it receives. */
export class OtherHost {
  readonly #server: Server;
  #size = 0;

  constructor(record: (request: string) => void) {
    const add = (text: string): void => {
      this.#size += text.length;
      if (this.#size <= maxRecord) record(text);
    };
    this.#server = createServer((request, response) => {
      add(`${request.url ?? ""} ${JSON.stringify(request.headers)}`);
      request.setEncoding("utf8").on("data", add);
      request.on("end", () => {
        response.setHeader("content-type", "application/json");
        response.end('{"items": [], "data": []}');
      });
    });
  }

  /** Begins to listen; returns the URL. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => void this.#server.listen(0, "127.0.0.1", resolve));
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`; // it listens on a port
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
