import { storeNumber, token } from "../responses.ts";

interface Resolved {
  request: Request;
  params: Record<string, string | readonly string[] | undefined>;
}

/** The part of msw that a handler needs, which is the same in 2 and 3. */
type Route<Handler> = (path: string, resolve: (info: Resolved) => Response | Promise<Response>) => Handler;

interface Responses {
  json(body: object | null | undefined, init?: ResponseInit): Response;
}

export const base = "https://store.example";

function refused(request: Request): boolean {
  return request.headers.get("authorization") !== `Bearer ${token}`;
}

/** Handlers as users write them for the stores: a token, a Map, and the two errors that a test needs. */
export function storeHandlers<Handler>(
  http: { get: Route<Handler>; put: Route<Handler> },
  HttpResponse: Responses,
): Handler[] {
  const stores = new Map(Array.from({ length: 250 }, (_, at) => [`S-${at + 1}`, storeNumber(at + 1)]));
  const failure = (status: number, code: string): Response =>
    HttpResponse.json({ error: { code, message: code } }, { status });
  return [
    http.get(`${base}/v1/stores`, ({ request }) => {
      if (refused(request)) return failure(401, "unauthorized");
      const query = new URL(request.url).searchParams;
      const limit = Number(query.get("limit") ?? 100);
      const ids = [...stores.keys()];
      const from = ids.indexOf(query.get("cursor") ?? "") + 1;
      const items = ids.slice(from, from + limit).map((id) => stores.get(id));
      const nextCursor = from + limit < ids.length ? (items.at(-1)?.externalId ?? null) : null;
      return HttpResponse.json({ items, nextCursor });
    }),
    http.get(`${base}/v1/stores/:externalId`, ({ request, params }) => {
      if (refused(request)) return failure(401, "unauthorized");
      const store = stores.get(String(params["externalId"]));
      return store === undefined ? failure(404, "not_found") : HttpResponse.json(store);
    }),
    http.put(`${base}/v1/stores/:externalId`, async ({ request, params }) => {
      if (refused(request)) return failure(401, "unauthorized");
      const id = String(params["externalId"]);
      const changed = {
        ...(stores.get(id) ?? storeNumber(stores.size + 1)),
        ...((await request.json()) as object),
      };
      stores.set(id, changed);
      return HttpResponse.json(changed);
    }),
  ];
}
