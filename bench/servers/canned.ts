import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { store, storesOfPage } from "../responses.ts";
import { serveRequests } from "../child-side.ts";

// node servers/canned.ts DELAY PAGES: responds to each client in its own format, after the given number of ms

const [delay = 0, pages = 100] = process.argv.slice(2).map(Number);
const pageSize = 100;
const fleetBase = "/api/third-party/v1";
const one = JSON.stringify(store);
let requests = 0;

type Page = (query: URLSearchParams, host: string) => { body: unknown; link?: string };

/** The number of the page that follows an item of a list. */
const after = (cursor: string | null): number =>
  cursor === null ? 0 : Math.ceil(Number(cursor.slice("S-".length)) / pageSize);

/** One page. The last one is not full: a full page without a cursor may not be the end (gap stores.null-cursor). */
function itemsOf(page: number): ReturnType<typeof storesOfPage> {
  const items = storesOfPage(page, pageSize);
  return page + 1 < pages ? items : items.slice(0, -1);
}

const lists: Record<string, Page> = {
  "/v1/stores": (query) => {
    const items = itemsOf(after(query.get("cursor")));
    return { body: { items, nextCursor: more(items) ? items.at(-1)?.externalId : null } };
  },
  "/v1/files": (query) => {
    const data = storesOfPage(after(query.get("after")), pageSize);
    return { body: { object: "list", data, has_more: more(data) } };
  },
  "/v1/customers": (query) => {
    const data = storesOfPage(after(query.get("starting_after")), pageSize);
    return { body: { object: "list", url: "/v1/customers", data, has_more: more(data) } };
  },
  [`${fleetBase}/vehicles`]: (query, host) => {
    const page = Number(query.get("page") ?? 1);
    const pagination = {
      currentPage: page,
      totalPages: pages,
      totalCount: pages * pageSize,
      hasNextPage: page < pages,
      hasPreviousPage: page > 1,
    };
    const next = `<http://${host}${fleetBase}/vehicles?limit=${pageSize}&page=${page + 1}>; rel="next"`;
    return {
      body: { data: storesOfPage(page - 1, pageSize), meta: { version: "v1", pagination } },
      ...(page < pages && { link: next }),
    };
  },
};

function more(items: { id: string }[]): boolean {
  return after(items.at(-1)?.id ?? null) < pages;
}

function respond(request: IncomingMessage, response: ServerResponse): void {
  requests += 1;
  const url = new URL(request.url ?? "/", "http://localhost");
  const list = lists[url.pathname];
  const { body, link } = list?.(url.searchParams, request.headers.host ?? "") ?? {};
  const text = body === undefined ? one : JSON.stringify(body);
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  const send = (): void => void response.writeHead(200, link ? { ...headers, link } : headers).end(text);
  if (delay > 0) setTimeout(send, delay);
  else send();
}

const server = createServer({ keepAliveTimeout: 60_000 }, respond);
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  // the number of requests since the last question
  serveRequests(`http://127.0.0.1:${port}`, () => {
    const count = requests;
    requests = 0;
    return count;
  });
});
