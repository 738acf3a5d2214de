import type { Setting } from "./scenario.ts";

/** The bound of shelfleet's figure: a number in the row's unit, or a multiple of the figure of each of `of`. */
export interface Goal {
  limit: number;
  of?: readonly string[];
  /** The name of `of` in the table. */
  group?: string;
}

export interface Row {
  id: string;
  title: string;
  unit: string;
  /** Whether a larger figure is better, as for a rate. */
  isRate?: boolean;
  /** A module in `scenarios/`. */
  scenario: string;
  setting?: Setting;
  /** The server that is started for the row. */
  server?: { delay?: number; isTls?: boolean };
  /** The first one is shelfleet. */
  contenders: readonly string[];
  /** The amount of work in a round; 1 by default. */
  work?: number;
  /** 1 by default. */
  rounds?: number;
  goal: Goal;
  /** Whether each round has a new process. */
  isFresh?: boolean;
  /** Whether version 0.1 takes no part. */
  isNew?: boolean;
  /** Whether it is measured only if `--only` names it. */
  isOnDemand?: boolean;
}

const guarded = ["openapi-fetch + ky", "openai", "stripe", "Redocly's client"];
const clients = ["shelfleet", ...guarded, "hey-api", "native fetch"];
const call = { unit: "µs", scenario: "calls", contenders: clients, rounds: 25 };
const calls: readonly Row[] = [
  {
    ...call,
    id: "call-stub",
    title: "A call, without network",
    work: 3_000,
    goal: { limit: 1.1, of: guarded, group: "the fastest with retry and timeout" },
  },
  {
    ...call,
    id: "call-loopback",
    title: "A call over loopback HTTP",
    server: {},
    work: 500,
    goal: { limit: 1.15, of: ["native fetch"] },
  },
  {
    ...call,
    id: "first-call",
    title: "Import and first call",
    isFresh: true,
    goal: { limit: 1, of: ["hey-api"] },
  },
  {
    ...call,
    id: "node-call",
    title: "A call through shelfleet/node, 16 in flight",
    setting: { inFlight: 16 },
    server: {},
    contenders: ["shelfleet/node", "shelfleet", ...guarded, "undici request", "native fetch"],
    work: 1_000,
    goal: { limit: 0.42, of: ["native fetch"] },
  },
];

const page = { ...call, setting: { inFlight: 16, isPage: true }, work: 500, rounds: 21 };
const senders = ["openapi-fetch + ky", "undici request", "native fetch"];
const tls = { server: { isTls: true }, contenders: ["shelfleet", "shelfleet/node", ...senders] };
const pages: readonly Row[] = [
  {
    ...page,
    id: "node-page",
    title: "A page of 100 through shelfleet/node, 16 in flight",
    server: {},
    contenders: ["shelfleet/node", "shelfleet", ...senders],
    goal: { limit: 0.7, of: ["native fetch"] },
  },
  {
    ...page,
    ...tls,
    id: "tls-page",
    title: "A page of 100 over TLS, 16 in flight",
    goal: { limit: 1.15, of: ["native fetch"] },
  },
  {
    ...page,
    ...tls,
    id: "tls-page-processor",
    title: "Processor time of such a page",
    setting: { ...page.setting, isProcessorTime: true },
    goal: { limit: 1.2, of: ["native fetch"] },
  },
];

const million = { scenario: "million-walk", rounds: 7 };
const slow = { scenario: "page-walk", unit: "s", server: { delay: 20 }, work: 100, rounds: 3 };
const walks: readonly Row[] = [
  {
    ...million,
    id: "walk-million",
    title: "A walk of 1 000 000 stores, without network",
    unit: "thousand stores/s",
    isRate: true,
    contenders: ["shelfleet", "loop over JSON.parse"],
    work: 1_000_000,
    goal: { limit: 0.8, of: ["loop over JSON.parse"] },
  },
  {
    ...million,
    id: "walk-memory",
    title: "Growth of the heap in the last nine tenths of 20 000 pages",
    unit: "MB",
    setting: { isMemory: true },
    contenders: ["shelfleet"],
    work: 2_000_000,
    rounds: 2,
    goal: { limit: 2 },
    isNew: true,
  },
  {
    ...slow,
    id: "walk-cursor",
    title: "100 cursor pages at 20 ms, and 20 ms of work for each",
    setting: { busy: 20 },
    contenders: ["shelfleet, prefetch 1", "shelfleet, no prefetch", "openai"],
    goal: { limit: 0.55, of: ["openai"], group: "openai (0.5 is possible)" },
  },
  {
    ...slow,
    id: "walk-numbered",
    title: "100 numbered pages at 20 ms",
    contenders: ["shelfleet, concurrency 8", "shelfleet, one at a time"],
    goal: { limit: 0.18, of: ["shelfleet, one at a time"], group: "one at a time (0.14 is possible)" },
  },
];

const sizes: readonly Row[] = [
  {
    id: "bundle",
    title: "Size of the import that README shows, gzipped",
    unit: "kB",
    scenario: "bundle",
    contenders: ["shelfleet", "shelfleet, with what it may load later", ...guarded, "hey-api"],
    goal: { limit: 18 },
  },
  {
    id: "types",
    title: "Type instantiations of a file with every operation",
    unit: "",
    scenario: "types",
    contenders: ["shelfleet", "openapi-fetch", "hey-api"],
    goal: { limit: 1_000 },
    isNew: true,
  },
];

const serverRow = (request: "get" | "list" | "put", title: string): Row => ({
  id: `server-${request}`,
  title: `Reference server: ${title}`,
  unit: "requests/s",
  isRate: true,
  scenario: "server-load",
  setting: { request },
  contenders: ["shelfleet", "Prism", "bare node:http"],
  work: 1_500,
  rounds: 6,
  goal: { limit: 4, of: ["Prism"] },
});

const servers: readonly Row[] = [
  serverRow("get", "GET one store"),
  serverRow("list", "list of 100"),
  serverRow("put", "PUT one store"),
  {
    id: "server-start",
    title: "Reference server: start",
    unit: "ms",
    scenario: "server-start",
    contenders: ["shelfleet", "Prism"],
    rounds: 9,
    goal: { limit: 0.33, of: ["Prism"] },
  },
  {
    id: "in-process",
    title: "Reference server in process: GET one store",
    unit: "calls/s",
    isRate: true,
    scenario: "in-process",
    contenders: ["shelfleet", "msw 3 by hand", "msw 2 by hand"],
    work: 1_000,
    rounds: 21,
    goal: { limit: 10, of: ["msw 3 by hand"] },
  },
];

/** A job whose cost for each item must not grow with their number. */
const jobRow = (job: "pull" | "mirror" | "plan", title: string, isOnDemand = false): Row => {
  const items = isOnDemand ? "1 000 000" : "100 000";
  return {
    id: isOnDemand ? `job-${job}-million` : `job-${job}`,
    title: `${title}: for each of ${items}`,
    unit: "µs",
    scenario: "job",
    setting: { job },
    contenders: [`shelfleet, ${items}`, "shelfleet, 10 000"],
    rounds: isOnDemand ? 1 : 5,
    goal: { limit: 1.25, of: ["shelfleet, 10 000"] },
    isNew: true,
    isOnDemand,
  };
};

const jobs: readonly Row[] = [false, true].flatMap((isOnDemand) => [
  jobRow("pull", "Pull of protocols", isOnDemand),
  jobRow("mirror", "Mirror of stores", isOnDemand),
  jobRow("plan", "Plan of stores that all differ", isOnDemand),
]);

/** The rows in the order of the table. */
export const rows: readonly Row[] = [...calls, ...pages, ...walks, ...sizes, ...servers, ...jobs];

/** Throws for an unknown row. */
export function chooseRows(only: readonly string[]): Row[] {
  const ids = rows.map(({ id }) => id);
  const unknown = only.filter((id) => !ids.includes(id));
  if (unknown.length > 0) throw new Error(`no such row: ${unknown.join(", ")}. Expected: ${ids.join(", ")}`);
  return rows.filter(({ id, isOnDemand }) => (only.length === 0 ? isOnDemand !== true : only.includes(id)));
}
