import type { Client } from "openapi-fetch";
import type { Http } from "./http.ts";

const methods = [
  "request",
  "GET",
  "PUT",
  "POST",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "HEAD",
  "TRACE",
  "use",
  "eject",
] as const;

type Method = (typeof methods)[number];
type Raw = Record<Method, (...args: unknown[]) => unknown>;

/** The openapi-fetch client of an API over the same transport. openapi-fetch is loaded when it is first called. */
export function makeRaw<Paths extends object>(http: Http<Paths>): Client<Paths, "application/json"> {
  let loading: Promise<Raw> | undefined;
  const load = (): Promise<Raw> => {
    loading ??= import("./raw-client.ts").then(({ makeRawClient }) => makeRawClient(http) as unknown as Raw);
    return loading;
  };
  const later =
    (method: Method) =>
    (...args: unknown[]): Promise<unknown> =>
      load().then((client) => client[method](...args));
  // each method is openapi-fetch's own, a promise later; middleware is in place before any call that follows
  const client: unknown = Object.fromEntries(methods.map((method) => [method, later(method)]));
  return client as Client<Paths, "application/json">;
}
