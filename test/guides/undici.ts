export { Agent } from "undici";

/** Sends the block's requests to the reference server. */
export function fetch(url: string, init: RequestInit): Promise<Response> {
  return globalThis.fetch(url, init);
}
