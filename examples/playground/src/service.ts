import { FleetClient, type Hooks, StoreClient } from "shelfleet";
import { createReferenceServer } from "shelfleet/mock";
import type { Clients } from "./job.ts";

/** An event of the timeline: what the client sent, and later what the service did; or a note of the client. */
export type Event =
  | { kind: "request"; sent: string; answered: Promise<{ text: string; isLost: boolean }> }
  | { kind: "note"; text: string };

const meanings: Readonly<Record<number, string>> = { 201: "created", 204: "deleted", 404: "does not exist" };

/** The time of a response in ms, so that the timeline grows visibly. */
const delay = 30;

export const ref = createReferenceServer({
  now: "system",
  store: { stores: 12, protocolsPerStore: 4 },
  fleet: { vehicles: 30 },
});
ref.on("*").delay(delay);

/** Loses the next response, after the service has done what was asked. */
export function loseNext(isWrite: boolean): void {
  const matcher = isWrite ? { when: ({ method }: { method: string }) => method !== "GET" } : {};
  ref.on("*", matcher).fault("reset", { at: "after" }).times(1);
}

/** Creates clients that report each request. */
export function createClients(report: (event: Event) => void): Clients {
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const { method = "GET" } = init;
    const response = ref.fetch(url, init);
    const answered = response.then(
      ({ status }) => ({ text: `${status} ${meanings[status] ?? ""}`.trimEnd(), isLost: false }),
      () => ({ text: `${method === "GET" ? "read" : "done"}, response lost`, isLost: true }),
    );
    report({ kind: "request", sent: `${method} ${pathname}${decodeURIComponent(search)}`, answered });
    return response;
  };
  const hooks: Hooks = {
    onRetry: ({ delay: ms }) =>
      report({ kind: "note", text: `no response: sent again after ${Math.round(ms)} ms` }),
  };
  const options = { fetch: send, hooks };
  return {
    store: new StoreClient({ ...ref.storeOptions, ...options }),
    fleet: new FleetClient({ ...ref.fleetOptions, ...options }),
  };
}
