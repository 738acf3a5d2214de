import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { StoreClient, type StoreClientOptions } from "../../../src/client/store/index.ts";

export const token = "tok-4f9a+/=~?&Zq7-attack";

export interface AttackServer {
  url: string;
  requests: IncomingMessage[];
  /** Bytes that the server has handed to the sockets. */
  bytesWritten: () => number;
  /** Responses whose connection the client has ended before their end. */
  cutConnections: () => number;
}

/** A real HTTP server for the current test. */
export async function serveAttack(
  respond: (request: IncomingMessage, response: ServerResponse, index: number) => void,
): Promise<AttackServer> {
  const requests: IncomingMessage[] = [];
  const sockets = new Set<IncomingMessage["socket"]>();
  let cutConnections = 0;
  const server = createServer((request, response) => {
    requests.push(request);
    sockets.add(request.socket);
    request.resume();
    response.on("close", () => {
      if (!response.writableFinished) cutConnections += 1;
    });
    respond(request, response, requests.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    bytesWritten: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0),
    cutConnections: () => cutConnections,
  };
}

/** A store client with short retry delays. */
export function clientOf(options: Partial<StoreClientOptions>): StoreClient {
  return new StoreClient({
    baseUrl: "https://stores.example.com",
    token,
    retry: { maxDelay: 1 },
    ...options,
  });
}

export async function rejection(call: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(call).then(
    () => {
      throw new Error("it did not reject");
    },
    (error: unknown) => error,
  );
}

/** Waits until all pending work that needs neither a timer nor the network is done. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
}
