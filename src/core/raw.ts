import createClient, { type Client } from "openapi-fetch";
import type { Http } from "./http.ts";

/**
 * The openapi-fetch client of an API over the same transport. Documented errors come back as `{ error }`,
 * as openapi-fetch has it; everything else that goes wrong is thrown.
 */
export function makeRaw<Paths extends object>(http: Http<Paths>): Client<Paths, "application/json"> {
  // the transport puts the base address before the route, once it knows the key
  const client = createClient<Paths, "application/json">({ baseUrl: "http://placeholder.invalid" });
  client.use({
    onRequest: ({ request, schemaPath, params }) => http.forward(request, schemaPath, params.path ?? {}),
  });
  return client;
}
