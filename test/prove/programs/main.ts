import { runAsProcess } from "./as-process.ts";
import { runExpert } from "./expert.ts";
import type { Job } from "./job.ts";
import { runOpenapiFetchKy } from "./openapi-fetch-ky.ts";
import { runPlainFetch } from "./plain-fetch.ts";
import { runRedocly } from "./redocly.ts";
import { runShelfleet, runShelfleetWithKy } from "./shelfleet.ts";

const programs: Readonly<Record<string, (job: Job) => Promise<void>>> = {
  shelfleet: runShelfleet,
  fetch: runPlainFetch,
  "openapi-fetch": runOpenapiFetchKy,
  expert: runExpert,
  "shelfleet-ky": runShelfleetWithKy,
  redocly: runRedocly,
};

const run = programs[process.argv[2] ?? ""];
if (run === undefined) throw new Error(`Expected one of ${Object.keys(programs).join(", ")}`);
await runAsProcess(run);
