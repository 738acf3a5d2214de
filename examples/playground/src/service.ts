import { FleetClient, type Hooks, StoreClient } from "shelfleet";
import { createReferenceServer, type ReferenceServer } from "shelfleet/mock";

/** An event of the timeline: what the program sent, and later what the service did; or a note. */
export type Event =
  | { kind: "request"; sent: string; answered: Promise<{ text: string; isLost: boolean }> }
  | { kind: "note"; text: string };

/** A service in the page, and what a program uses to reach it. */
export interface Service {
  ref: ReferenceServer;
  /** A `fetch` that reports each request. */
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  store: StoreClient;
  fleet: FleetClient;
}

const meanings: Readonly<Record<number, string>> = { 201: "created", 204: "deleted", 404: "does not exist" };

/** The time of a response in ms, so that the timeline grows visibly. */
const delay = 30;

/** Starts a service. Two of them have the same data. */
export function startService(report: (event: Event) => void): Service {
  const ref = createReferenceServer({
    now: "system",
    store: { stores: 12, protocolsPerStore: 4 },
    fleet: { vehicles: 30 },
  });
  ref.on("*").delay(delay);
  const fetch: Service["fetch"] = (url, init = {}) => {
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
    onRetry: ({ delay: ms }) => report({ kind: "note", text: `sent again after ${Math.round(ms)} ms` }),
  };
  return {
    ref,
    fetch,
    store: new StoreClient({ ...ref.storeOptions, fetch, hooks }),
    fleet: new FleetClient({ ...ref.fleetOptions, fetch, hooks }),
  };
}

/** Loses the next response, after the service has done what was asked. */
export function loseNext({ ref }: Service, isWrite: boolean): void {
  const matcher = isWrite ? { when: ({ method }: { method: string }) => method !== "GET" } : {};
  ref.on("*", matcher).fault("reset", { at: "after" }).times(1);
}
