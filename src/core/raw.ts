import type { Client } from "openapi-fetch";
import type { Http } from "./http.ts";

type Raw = Record<string, (...args: unknown[]) => unknown>;

const methods = ["request", "GET", "PUT", "POST", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE"];

/** The openapi-fetch client of an API over the same transport. openapi-fetch is loaded when it is first called. */
export function makeRaw<Paths extends object>(http: Http<Paths>): Client<Paths, "application/json"> {
  let loading: Promise<Raw> | undefined;
  const load = (): Promise<Raw> => {
    loading ??= import("./raw-client.ts").then(({ makeRawClient }) => makeRawClient(http) as unknown as Raw);
    return loading;
  };
  const later =
    (method: string) =>
    (...args: unknown[]): Promise<unknown> =>
      load().then((client) => client[method]?.(...args));
  // each method is openapi-fetch's own, a promise later; middleware is in place before any call that follows
  return Object.fromEntries(
    [...methods, "use", "eject"].map((method) => [method, later(method)]),
  ) as unknown as Client<Paths, "application/json">;
}
