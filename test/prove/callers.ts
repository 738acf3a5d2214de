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
 * Ends each process when it asks for a third page: the one that it reads again, a new one, and no more. Every tenth process may
 * read one more, because a job may save several pages together.
 */
export function eachPageInANewProcess(run: Program): Program {
  return async (job) => {
    for (let process = 1; process <= PROCESSES; process += 1) {
      const most = 2 + Math.floor(process / 10);
      if ((await runPages(run, job, most)) === "ended") return;
    }
    throw new Error("the copy does not come to an end");
  };
}

/** Runs a program until it asks for one page more. Nothing happens in a process that was killed. */
async function runPages(run: Program, job: Job, most: number): Promise<"ended" | "killed"> {
  const pages = new Set<string>();
  const { promise, resolve } = Promise.withResolvers<"killed">();
  const fetch: Job["fetch"] = (input, init) => {
    const { method, url } = new Request(input, init);
    if (method === "GET" && /[?&](limit|cursor|page)=/.test(url)) pages.add(url);
    if (pages.size <= most) return job.fetch(input, init);
    resolve("killed");
    return new Promise(() => {});
  };
  return Promise.race([run({ ...job, fetch }).then(() => "ended" as const), promise]);
}

/** What a caller or a library throws when it ends a request: it need not be an error. */
export const ODD_REASONS = [
  undefined,
  null,
  0,
  "",
  "stopped",
  new DOMException("aborted", "AbortError"),
  { status: 200 },
];

/** Ends the second request, and again with each attempt if it is for good. */
export function endingRequests(run: Program, reason: unknown, isForGood: boolean): Program {
  return (job) => {
    let requests = 0;
    const fetch: Job["fetch"] = (input, init) => {
      requests += 1;
      const isEnded = isForGood ? requests >= 2 : requests === 2;
      // eslint-disable-next-line typescript/prefer-promise-reject-errors -- as odd callers do
      return isEnded ? Promise.reject(reason) : job.fetch(input, init);
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
