import { createServer } from "node:http";
import { store, storesOfPage } from "../answers.ts";

// node servers/bare.ts PORT: the least that node:http can do for an answer. No token, no check, no state: the ceiling

const one = JSON.stringify(store);
const page = JSON.stringify({ items: storesOfPage(0, 100), nextCursor: "S-100" });

createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const text = request.url?.startsWith("/v1/stores?") === true ? page : one;
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  const send = (): void => void response.writeHead(200, headers).end(text);
  if (request.method === "GET") return send();
  request.on("data", () => {}).on("end", send);
}).listen(Number(process.argv[2]), "127.0.0.1");
