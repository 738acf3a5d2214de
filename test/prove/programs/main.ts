import { runAsProcess } from "./as-process.ts";
import type { Job } from "./job.ts";

/** The programs of the scoreboard. Only the one that runs is loaded: a process is started for each scenario. */
const programs: Readonly<Record<string, () => Promise<(job: Job) => Promise<void>>>> = {
  guides: async () => (await import("./guides.ts")).runGuides,
  "guides-ky": async () => (await import("./guides-over-ky.ts")).runGuidesOverKy,
  readme: async () => (await import("./readme.ts")).runReadme,
  fetch: async () => (await import("./plain-fetch.ts")).runPlainFetch,
  "openapi-fetch": async () => (await import("./openapi-fetch-ky.ts")).runOpenapiFetchKy,
  expert: async () => (await import("./expert.ts")).runExpert,
  "hey-api": async () => (await import("./hey-api.ts")).runHeyApi,
  redocly: async () => (await import("./redocly.ts")).runRedocly,
};

const load = programs[process.argv[2] ?? ""];
if (load === undefined) throw new Error(`Expected one of ${Object.keys(programs).join(", ")}`);
await runAsProcess(await load());
