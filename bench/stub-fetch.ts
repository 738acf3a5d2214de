import { store } from "./responses.ts";

const one = JSON.stringify(store);
const headers = { "content-type": "application/json" };

/** A `fetch` without a network, so that only the client's own work is measured. */
export async function stubFetch(_input: unknown, _init?: RequestInit): Promise<Response> {
  return new Response(one, { headers });
}
