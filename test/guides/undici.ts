export { Agent } from "undici";

/** Sends to the reference server behind the block's addresses. */
export function fetch(url: string, init: RequestInit): Promise<Response> {
  return globalThis.fetch(url, init);
}
