import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import type { Package } from "./programs/documented.ts";
import type { Job } from "./programs/job.ts";

/** A program of documented lines. */
export type Program = (job: Job, copy?: Package) => Promise<void>;

/** Gives each list of objects as an iterable that changes one object and yields it again, as readers of files do. */
export function reusingObjects(run: Program): Program {
  return (job) => {
    const data = Object.entries(job.task.data).map(([name, value]) => [
      name,
      isRows(value) ? reuse(value) : value,
    ]);
    return run({ ...job, task: { ...job.task, data: Object.fromEntries(data) as Job["task"]["data"] } });
  };
}

function isRows(value: unknown): value is object[] {
  return Array.isArray(value) && typeof value[0] === "object";
}

function reuse(rows: readonly object[]): Iterable<object> {
  return {
    *[Symbol.iterator]() {
      const reused: Record<string, unknown> = {};
      for (const row of rows) {
        for (const name of Object.keys(reused)) delete reused[name];
        yield Object.assign(reused, structuredClone(row));
      }
      for (const name of Object.keys(reused)) reused[name] = "changed afterwards";
    },
  };
}

/** More processes than pages of every list, twice. */
const PROCESSES = 100;

/**
 * Ends each process when it asks for a third page: the one that it reads again, a new one, and no more. Every third process may
 * read one more, because a job may save several pages together.
 */
export function eachPageInANewProcess(run: Program): Program {
  return async (job) => {
    for (let process = 1; process <= PROCESSES; process += 1) {
      const most = 2 + Math.floor(process / 3);
      if ((await runPages(run, job, most)) === "ended") return;
    }
    throw new Error("the copy does not come to an end");
  };
}

/** Runs a program until it asks for one page more. Nothing happens in a process that was killed. */
async function runPages(run: Program, job: Job, most: number): Promise<"ended" | "killed"> {
  const pages = new Set<string>();
  let kill = (_: "killed"): void => {};
  const killed = new Promise<"killed">((resolve) => {
    kill = resolve;
  });
  const fetch: Job["fetch"] = (input, init) => {
    const { method, url } = new Request(input, init);
    if (method === "GET" && /[?&](limit|cursor|page)=/.test(url)) pages.add(url);
    if (pages.size <= most) return job.fetch(input, init);
    kill("killed");
    return new Promise(() => {});
  };
  return Promise.race([run({ ...job, fetch }).then(() => "ended" as const), killed]);
}

/** What a caller or a library ends a request with: it need not be an error. */
export const ODD_REASONS: readonly { name: string; reason: unknown }[] = [
  { name: "undefined", reason: undefined },
  { name: "null", reason: null },
  { name: "an empty string", reason: "" },
  { name: "an AbortError of another signal", reason: new DOMException("aborted", "AbortError") },
  { name: "an object like a response", reason: { status: 200 } },
];

/** Ends the second request, or it and all after it. */
export function endingRequests(run: Program, reason: unknown, how: "once" | "always"): Program {
  return (job) => {
    let requests = 0;
    const fetch: Job["fetch"] = async (input, init) => {
      requests += 1;
      if (how === "once" ? requests === 2 : requests >= 2) throw reason;
      return job.fetch(input, init);
    };
    return run({ ...job, fetch });
  };
}

/** Returns the clients of another copy of the package, as two versions in one project are. */
export async function anotherCopy(folder: string): Promise<Package> {
  const outfile = `${folder}/copy.mjs`;
  const entry = fileURLToPath(new URL("../../src/index.ts", import.meta.url));
  await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "error",
  });
  return (await import(outfile)) as Package;
}
