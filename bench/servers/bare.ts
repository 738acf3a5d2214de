import { readFileSync } from "node:fs";
import { createServer } from "node:http";

// node servers/bare.ts PORT FILE: the minimum that node:http must do for the two responses in FILE: a short text,
// which it writes together with the head, and a long one as bytes. No token, no validation, no state: the upper limit

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
