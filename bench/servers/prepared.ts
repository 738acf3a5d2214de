import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { store, storesOfPage } from "../responses.ts";
import { serveRequests } from "../child-side.ts";

// node servers/prepared.ts [FILE]: one store and one page, prepared in advance, so that the server costs little in
// comparison with the clients. FILE has the key and the certificate of a server over TLS, as JSON

const stores = storesOfPage(0, 100);
const bodies: Readonly<Record<string, Buffer>> = {
  "/v1/stores": Buffer.from(JSON.stringify({ items: stores, nextCursor: "S-100" })),
  "/v1/customers": Buffer.from(
    JSON.stringify({ object: "list", url: "/v1/customers", data: stores, has_more: false }),
  ),
};
const one = Buffer.from(JSON.stringify(store));

function respond({ url = "" }: IncomingMessage, response: ServerResponse): void {
  const body = bodies[url.split("?", 1)[0] ?? ""] ?? one;
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
}

const [file] = process.argv.slice(2);
const options = { keepAliveTimeout: 60_000 };
const server =
  file === undefined
    ? createServer(options, respond)
    : createTlsServer({ ...options, ...(JSON.parse(readFileSync(file, "utf8")) as object) }, respond);
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  serveRequests(`${file === undefined ? "http" : "https"}://127.0.0.1:${port}`, () => undefined);
});
