import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeProject } from "../consumer-projects.ts";
import { ours } from "../contenders.ts";
import { grown } from "../growth.ts";
import type { Measurement, RowPlan } from "../measurement.ts";
import { least } from "../target.ts";
import { TsServer } from "../tsserver.ts";

/** Where an editor asks what there is, and one name that has to be among the answers. */
interface Place {
  file: string;
  typed: string;
  expected: string;
}

const places: Record<string, Place> = {
  [ours]: { file: "shelfleet.ts", typed: "store.", expected: "protocols" },
  "openapi-fetch, client.": { file: "openapi-fetch.ts", typed: "store.", expected: "GET" },
  "openapi-fetch, its routes": { file: "openapi-fetch.ts", typed: 'store.GET("', expected: "/v1/stores" },
};

const plan: RowPlan = {
  id: "editor",
  what: "editor: from opening a file to the completions at `store.` (tsserver)",
  unit: "ms",
  better: "less",
  ours,
  target: least(
    Object.keys(places).filter((name) => name !== ours),
    "fastest",
  ),
};

/** The file up to its calls, and the calls so many times; then what is being typed. */
function opened({ file, typed }: Place, times: number): string {
  const text = readFileSync(new URL(`../consumers/${file}`, import.meta.url), "utf8");
  const [head = "", ...calls] = text.split(/(?=^ {2}await )/m);
  const body = calls.join("").replace(/^}\n/m, "");
  return `${head}${body.repeat(times)}  ${typed}`;
}

async function timed(project: string, text: string, expected: string): Promise<number> {
  const server = new TsServer(project);
  try {
    await server.ready();
    const lines = text.split("\n");
    const file = join(project, "index.ts");
    const start = performance.now();
    server.open(file, text);
    const names = await server.completions(file, lines.length, (lines.at(-1)?.length ?? 0) + 1);
    const ms = performance.now() - start;
    if (!names.includes(expected)) throw new Error(`${expected} is not among the completions`);
    return ms;
  } finally {
    await server.stop();
  }
}

export const editor: Measurement = {
  plans: [plan],
  measure(run) {
    const amounts = { base: 1, others: [10, 100], unit: "times every operation above", exponent: 1 } as const;
    const entrants = (times: number) =>
      Object.entries(places).map(([name, place]) => {
        const text = opened(place, times);
        const project = makeProject(run.work, `editor-${times}-${name.replace(/\W+/g, "-")}`, {
          "index.ts": text,
        });
        return { name, sample: () => timed(project, text, place.expected) };
      });
    return grown(run, plan, amounts, entrants, run.quick ? 5 : 11);
  },
};
