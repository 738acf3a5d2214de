import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { pageSize, storeNumber, storesOfPage } from "../responses.ts";
import type { Scenario } from "../scenario.ts";

export interface ServerSetting {
  /** The time before each response in ms. */
  delay?: number;
  /** The files of a certificate and its key. */
  tls?: { cert: string; key: string };
}

/** The number of pages of each list. */
const pages = 100;

/** Responds to each client in its own format. A body is made once, so that the server costs little beside the clients. */
export async function prepare(_: string, { delay = 0, tls }: ServerSetting): Promise<Scenario> {
  const bodies = new Map<string, Buffer>();
  let requests = 0;
  const respond = ({ url = "/" }: IncomingMessage, response: ServerResponse): void => {
    requests += 1;
    const body = bodies.get(url) ?? Buffer.from(JSON.stringify(bodyOf(new URL(url, "http://localhost"))));
    bodies.set(url, body);
    const head = { "content-type": "application/json", "content-length": body.length };
    const send = (): void => void response.writeHead(200, head).end(body);
    if (delay > 0) setTimeout(send, delay);
    else send();
  };
  const options = { keepAliveTimeout: 60_000 };
  const server =
    tls === undefined
      ? createServer(options, respond)
      : createTlsServer({ ...options, cert: readFileSync(tls.cert), key: readFileSync(tls.key) }, respond);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `${tls === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, run: () => requests };
}

function bodyOf({ pathname, searchParams }: URL): unknown {
  const cursor = searchParams.get("cursor") ?? searchParams.get("after");
  const page = Number(searchParams.get("page") ?? 0) || pageAfter(cursor);
  const data = storesOfPage(page - 1);
  const isLast = page === pages;
  switch (pathname) {
    case "/v1/stores":
      // shelfleet 0.1 asks once more after a full page without a cursor
      return { items: isLast ? data.slice(1) : data, nextCursor: isLast ? null : data.at(-1)?.externalId };
    case "/v1/files":
      return { object: "list", data, has_more: !isLast };
    case "/api/third-party/v1/vehicles": {
      const pagination = {
        currentPage: page,
        totalPages: pages,
        totalCount: pages * pageSize,
        hasNextPage: !isLast,
        hasPreviousPage: page > 1,
      };
      return { data, meta: { version: "v1", pagination } };
    }
    default:
      return storeNumber(1);
  }
}

/** The number of the page that follows an item of a list. */
function pageAfter(cursor: string | null): number {
  return cursor === null ? 1 : Math.ceil(Number(cursor.slice("S-".length)) / pageSize) + 1;
}
