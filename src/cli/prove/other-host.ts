import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Another host, to which a redirect leads. It records what it receives. */
export class OtherHost {
  readonly #server: Server;

  constructor(record: (request: string) => void) {
    this.#server = createServer((request, response) => {
      record(`${request.url ?? ""} ${JSON.stringify(request.headers)}`);
      request.setEncoding("utf8").on("data", (chunk: string) => record(chunk));
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
