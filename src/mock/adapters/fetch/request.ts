import type { CoreRequest, Location } from "../../kernel/endpoint.ts";

/** Converts a request of the fetch API. */
export function toCoreRequest<Base extends string>(
  location: Location<Base>,
  method: string,
  headers: Headers,
  body: string | undefined,
): CoreRequest<Base> {
  return {
    ...location,
    method,
    authorization: headers.get("authorization") ?? undefined,
    contentType: headers.get("content-type") ?? undefined,
    apiVersion: headers.get("x-service-api-version") ?? undefined,
    body,
  };
}
