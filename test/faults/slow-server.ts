import { respondWith, type Handler, socketServer } from "../core/socket-server.ts";

export interface SlowServer {
  url: string;
  /** Requests that were taken and are not over. */
  open: () => number;
  taken: () => number;
}

/** A server that counts what is under way; its first answers come at once, the others after `wait` ms. */
export async function slowServer(
  respond: (target: string) => unknown,
  fast: number,
  wait: number,
): Promise<SlowServer> {
  let open = 0;
  const handler: Handler = (request, response, index) => {
    open += 1;
    response.on("close", () => (open -= 1));
    const whole = respondWith(200, JSON.stringify(respond(request.url ?? "")));
    const timer = setTimeout(() => whole(request, response, index), index < fast ? 0 : wait);
    response.on("close", () => clearTimeout(timer));
  };
  const { url, requests } = await socketServer(handler);
  return { url, open: () => open, taken: () => requests.length };
}
