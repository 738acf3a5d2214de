/** Returns the request ID from the response headers, under the names in common use. */
export function requestIdOf(headers: Headers): string | undefined {
  for (const name of ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"]) {
    const id = headers.get(name);
    if (id !== null && id !== "") return id;
  }
  return undefined;
}
