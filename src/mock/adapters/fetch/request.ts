import type { Base, CoreRequest } from "../../kernel/request.ts";

/** A request of the fetch API as the core takes it. */
export function describedRequest(
  place: { base: Base; target: string },
  method: string,
  headers: Headers,
  body: string | undefined,
): CoreRequest {
  return {
    ...place,
    method,
    authorization: headers.get("authorization") ?? undefined,
    contentType: headers.get("content-type") ?? undefined,
    apiVersion: headers.get("x-service-api-version") ?? undefined,
    body,
  };
}
