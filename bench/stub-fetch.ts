import { store } from "./responses.ts";

const one = JSON.stringify(store);
const headers = { "content-type": "application/json" };

/** A `fetch` without a network: what a call costs over it is the client's own. */
export async function stubFetch(_input: unknown, _init?: RequestInit): Promise<Response> {
  return new Response(one, { headers });
}
