import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { consumerCode, type Library } from "../../test/operations/consumer-code.ts";
import { makeProject } from "../consumer-projects.ts";
import { ours } from "../contenders.ts";
import type { Measurement, RowPlan, Run } from "../measurement.ts";
import { measureRow } from "../rounds.ts";
import { atMost, atMostLowest, goal } from "../target.ts";

const consumers: Record<string, Library> = {
  [ours]: "shelfleet",
  "openapi-fetch": "openapi-fetch",
  "hey-api": "hey-api",
};
const rivals = Object.keys(consumers).filter((name) => name !== ours);

const instantiations: RowPlan = {
  id: "types",
  what: "type check of a file that uses every operation: instantiations above those of an empty file",
  unit: "",
  better: "less",
  ours,
  target: goal(atMost(1_000, "instantiations")),
};

const time: RowPlan = {
  id: "types-time",
  what: "type check of that file: the compiler's whole time",
  unit: "s",
  better: "less",
  ours,
  target: goal(atMostLowest(rivals, "fastest")),
};

/** Runs the compiler on a project. */
interface Diagnostics {
  Instantiations: number;
  "Total time": number;
}

const tsc = fileURLToPath(import.meta.resolve("typescript/lib/tsc.js"));

function check(project: string): Diagnostics {
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", project, "--extendedDiagnostics"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`tsc: ${stdout.split("\n", 1)[0]}`);
  const figure = (name: string): number => {
    const text = new RegExp(`^${name}:\\s+([\\d.]+)`, "m").exec(stdout)?.[1];
    if (text === undefined) throw new Error(`tsc gave no ${name}`);
    return Number(text);
  };
  return { Instantiations: figure("Instantiations"), "Total time": figure("Total time") };
}

function projectsOf(run: Run): { name: string; project: string }[] {
  return Object.entries(consumers).map(([name, library]) => ({
    name,
    project: makeProject(run.work, `types-${library}`, { "index.ts": consumerCode(library) }),
  }));
}

function emptyProject(run: Run): string {
  return makeProject(run.work, "types-empty", { "index.ts": "export {};\n" });
}

export const typeInstantiations: Measurement = {
  plans: [instantiations],
  async measure(run) {
    const base = check(emptyProject(run)).Instantiations;
    const participants = projectsOf(run).map(({ name, project }) => ({
      name,
      sample: async () => check(project).Instantiations - base,
    }));
    return [await measureRow(run, instantiations, participants, 1)];
  },
};

export const typeTime: Measurement = {
  plans: [time],
  async measure(run) {
    const empty = { name: "an empty file", project: emptyProject(run) };
    const participants = [...projectsOf(run), empty].map(({ name, project }) => ({
      name,
      sample: async () => check(project)["Total time"],
    }));
    return [await measureRow(run, time, participants, run.quick ? 3 : 15)];
  },
};
