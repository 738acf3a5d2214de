// Loaded on the first raw call: the methods do without openapi-fetch.
import createClient, { type Client } from "openapi-fetch";
import type { Http } from "./http.ts";

/** Documented errors come back as `{ error }`, as openapi-fetch has it; everything else that goes wrong is thrown. */
export function makeRawClient<Paths extends object>(http: Http<Paths>): Client<Paths, "application/json"> {
  // the transport puts the base address before the route, once it knows the key
  const client = createClient<Paths, "application/json">({ baseUrl: "http://placeholder.invalid" });
  client.use({
    onRequest: ({ request, schemaPath, params }) => http.forward(request, schemaPath, params.path ?? {}),
  });
  return client;
}
