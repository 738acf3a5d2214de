import type { Setting } from "./scenario.ts";

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
  /** The rounds before them, which are not counted; 1 by default. */
  warmUp?: number;
  /** Whether each round has a new process. */
  isFresh?: boolean;
  /** Whether version 0.1 takes no part. */
  isNew?: boolean;
  /** Whether it is measured only if `--only` names it. */
  isOnDemand?: boolean;
}

const guarded = ["openapi-fetch + ky", "openai", "stripe", "Redocly's client"];
const clients = ["shelfleet", ...guarded, "hey-api", "native fetch"];
// the engine compiles a function after some thousands of calls
const call = { unit: "µs", scenario: "calls", contenders: clients, rounds: 30, warmUp: 5 };
const fresh = { ...call, isFresh: true, warmUp: 1 };
const generated = ["Redocly's client", "hey-api"];
const calls: readonly Row[] = [
  {
    ...call,
    id: "call-stub",
    title: "A call, without network",
    work: 3_000,
  },
  {
    ...call,
    id: "call-loopback",
    title: "A call over loopback HTTP",
    server: {},
    work: 500,
  },
  {
    ...call,
    id: "call-full",
    title: "A call whose whole response is checked, without network",
    contenders: ["shelfleet, validate: full", "hey-api with its zod plugin"],
    work: 3_000,
  },
  { ...fresh, id: "first-call", title: "Import and first call" },
  {
    ...fresh,
    id: "first-list",
    title: "Import and first list with a limit",
    setting: { call: "page" },
    contenders: ["shelfleet", "openapi-fetch + ky", "openai", ...generated, "native fetch"],
  },
  {
    ...fresh,
    id: "first-write",
    title: "Import and first write",
    setting: { call: "put" },
    contenders: ["shelfleet", "openapi-fetch + ky", ...generated, "native fetch"],
  },
  {
    ...call,
    id: "node-call",
    title: "A call through shelfleet/node, 16 in flight",
    setting: { inFlight: 16 },
    server: {},
    contenders: ["shelfleet/node", "shelfleet", ...guarded, "undici request", "native fetch"],
    work: 1_000,
  },
];

const page: Pick<Row, "unit" | "scenario" | "setting" | "work" | "rounds" | "warmUp"> = {
  ...call,
  setting: { inFlight: 16, call: "page" },
  work: 500,
  rounds: 21,
  warmUp: 2,
};
const senders = ["openapi-fetch + ky", "undici request", "native fetch"];
const tls = { server: { isTls: true }, contenders: ["shelfleet", "shelfleet/node", ...senders] };
const pages: readonly Row[] = [
  {
    ...page,
    id: "node-page",
    title: "A page of 100 through shelfleet/node, 16 in flight",
    server: {},
    contenders: ["shelfleet/node", "shelfleet", ...senders],
  },
  {
    ...page,
    ...tls,
    id: "tls-page",
    title: "A page of 100 over TLS, 16 in flight",
  },
];

const million = { scenario: "million-walk", rounds: 7 };
const slow = { scenario: "page-walk", unit: "s", server: { delay: 20 }, work: 100, rounds: 3 };
const walks: readonly Row[] = [
  {
    ...million,
    id: "walk-million",
    title: "A walk of 1 000 000 stores, without network",
    unit: "µs for each",
    contenders: ["shelfleet", "loop over JSON.parse"],
    work: 1_000_000,
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
    isNew: true,
  },
  {
    ...slow,
    id: "walk-cursor",
    title: "100 cursor pages at 20 ms, and 20 ms of work for each",
    setting: { busy: 20 },
    contenders: ["shelfleet, prefetch 1", "shelfleet, no prefetch", "openai"],
  },
  {
    ...slow,
    id: "walk-numbered",
    title: "100 numbered pages at 20 ms",
    contenders: ["shelfleet, concurrency 8", "shelfleet, one at a time"],
  },
];

const sizes: readonly Row[] = [
  {
    id: "bundle",
    title: "Size of the import that README shows, gzipped",
    unit: "kB",
    scenario: "bundle",
    contenders: ["shelfleet", "shelfleet, with what it may load later", ...guarded, "hey-api"],
  },
  {
    id: "types",
    title: "Type instantiations of a file with every operation",
    unit: "",
    scenario: "types",
    contenders: ["shelfleet", "openapi-fetch", "hey-api"],
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
