// Loaded on the first raw call: the methods do without openapi-fetch.
import createClient, { type Client } from "openapi-fetch";
import type { Http } from "./http.ts";

/** One of openapi-fetch's methods: `GET(route, init?)`, or `request(method, route, init?)`. */
type Method = (...args: unknown[]) => Promise<unknown>;

interface Init {
  params?: { path?: object };
}

/** Documented errors come back as `{ error }`, as openapi-fetch has it; everything else that goes wrong is thrown. */
export function makeRawClient<Paths extends object>(http: Http<Paths>): Client<Paths, "application/json"> {
  // the transport puts the base address before the route, once it knows the key
  const client = createClient<Paths, "application/json">({ baseUrl: "http://placeholder.invalid" });
  const all = Object.entries(client as unknown as Record<string, Method>);
  const sending = all.filter(([name]) => name !== "use" && name !== "eject");
  return { ...client, ...Object.fromEntries(sending.map(([name, method]) => [name, through(http, method)])) };
}

/** The same method over our transport. A `fetch` of its own leaves middleware where openapi-fetch has it: around it. */
function through<Paths>(http: Http<Paths>, method: Method): Method {
  return async (...args) => {
    const last = args.at(-1);
    const [init, rest] =
      typeof last === "string" ? [{}, args] : [last as Init | undefined, args.slice(0, -1)];
    const route = rest.at(-1) as string;
    let lost: { reason: unknown } | undefined;
    const fetch = (request: Request): Promise<Response> =>
      http.forward(request, route, init?.params?.path ?? {}).catch((reason: unknown) => {
        lost = { reason };
        throw reason;
      });
    return method(...rest, { ...init, fetch }).catch((error: unknown) => {
      // openapi-fetch goes on after a reason such as null
      throw lost !== undefined && !lost.reason ? lost.reason : error;
    });
  };
}
