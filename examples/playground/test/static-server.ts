import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** Serves only the files of a folder, below a path: the minimum for hosting the page. */
export async function serveFolder(
  folder: string,
  below: string,
): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const name = normalize(pathname.slice(below.length)) || "index.html";
    const isInside = pathname.startsWith(below) && !name.startsWith("..");
    const file = join(folder, name === "." || name === "/" ? "index.html" : name);
    readFile(isInside ? file : "").then(
      (content) =>
        response
          .writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" })
          .end(content),
      () => response.writeHead(404, { "content-type": "text/plain" }).end("there is no such file"),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return { url: `http://127.0.0.1:${port}${below}`, close: () => server.close() };
}
