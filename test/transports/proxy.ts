import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request as forward } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** A proxy that asks for the user `user` with the password `p@ss`, for tunnels and for plain requests. */
export class Proxy {
  readonly #server = createServer();
  readonly #agent = new Agent({ keepAlive: false }); // not the global one, which may use this proxy
  readonly #sockets = new Set<Socket>();
  /** The origins that were asked for. */
  readonly targets = new Set<string>();

  constructor() {
    const isAllowed = ({ headers, url = "" }: IncomingMessage): boolean => {
      this.targets.add(url.replace(/^http:\/\/|\/.*/g, ""));
      return headers["proxy-authorization"] === `Basic ${btoa("user:p@ss")}`;
    };
    this.#server.on("request", (request, response) => {
      if (!isAllowed(request)) return void response.writeHead(407).end();
      const { method, headers, url = "" } = request;
      const sent = forward(url, { method: method ?? "GET", headers, agent: this.#agent }, (received) => {
        response.writeHead(received.statusCode ?? 502, received.headers);
        received.on("error", () => response.destroy()).pipe(response);
      });
      sent.on("error", () => response.destroy());
      response.on("close", () => sent.destroy());
      request.pipe(sent);
    });
    this.#server.on("connect", (request, socket: Socket) => {
      if (!isAllowed(request)) return void socket.end("HTTP/1.1 407 No\r\n\r\n");
      const { hostname, port } = new URL(`http://${request.url}`);
      const target = connect(Number(port), hostname, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(target).pipe(socket);
      });
      for (const [one, other] of [
        [socket, target],
        [target, socket],
      ] as const)
        one.on("error", () => {}).on("close", () => other.destroy());
    });
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  /** Listens, and returns its URL with the password. */
  async listen(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return `http://user:p%40ss@127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
