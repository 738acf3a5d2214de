import { readFileSync } from "node:fs";
import { createServer } from "node:http";

// node servers/bare.ts PORT FILE: the least that node:http can do for the two answers in FILE, a short text, which it
// writes together with the head, and a long one as bytes. No token, no check, no state: the ceiling

const [port, file = ""] = process.argv.slice(2);
const responses = JSON.parse(readFileSync(file, "utf8")) as { store: unknown; page: unknown };
const one = JSON.stringify(responses.store);
const page = Buffer.from(JSON.stringify(responses.page));

createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const body = request.url?.startsWith("/v1/stores?") === true ? page : one;
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const send = (): void => void response.writeHead(200, headers).end(body);
  if (request.method === "GET") return send();
  request.on("data", () => {}).on("end", send);
}).listen(Number(port), "127.0.0.1");
