import { storesOfPage } from "../answers.ts";

/** Pages of the stub. */
export const pageSize = 100;

// a few pages take turns: the cursors differ, and no page equals the one before
const bodies = Array.from({ length: 16 }, (_, page) => JSON.stringify(storesOfPage(page, pageSize)));

/** A `fetch` that answers so many stores in pages, each as text that has to be parsed. */
export function pagesFetch(stores: number): (url: string) => Promise<Response> {
  const pages = Math.ceil(stores / pageSize);
  const headers = { "content-type": "application/json" };
  return async (url) => {
    const page = Number(/[?&]cursor=(\d+)/.exec(url)?.[1] ?? 0);
    const cursor = page + 1 < pages ? `"${page + 1}"` : "null";
    return new Response(`{"items":${bodies[page % bodies.length]},"nextCursor":${cursor}}`, { headers });
  };
}
