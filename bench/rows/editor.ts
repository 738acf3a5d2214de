import { join } from "node:path";
import { consumerCode, type Library } from "../../test/operations/consumer-code.ts";
import { makeProject } from "../consumer-projects.ts";
import { ours } from "../contenders.ts";
import type { Measurement, RowPlan } from "../measurement.ts";
import { measureRow } from "../rounds.ts";
import { atMostLowest, goal } from "../target.ts";
import { TsServer } from "../tsserver.ts";

/** The place of the completions, and a name that must be among them. */
interface Place {
  library: Library;
  typed: string;
  expected: string;
}

const places: Record<string, Place> = {
  [ours]: { library: "shelfleet", typed: "store.", expected: "protocols" },
  "openapi-fetch, client.": { library: "openapi-fetch", typed: "store.", expected: "GET" },
  "openapi-fetch, its routes": { library: "openapi-fetch", typed: 'store.GET("', expected: "/v1/stores" },
};

const opening: RowPlan = {
  id: "editor",
  what: "editor: from opening a file to the completions at `store.` (tsserver)",
  unit: "ms",
  better: "less",
  ours,
  target: goal(
    atMostLowest(
      Object.keys(places).filter((name) => name !== ours),
      "fastest",
    ),
  ),
};

const typing: RowPlan = {
  ...opening,
  id: "editor-typing",
  what: "editor: from typing `store.` to its completions, the file being open",
};

/** A file with all calls, which lacks its last brace. */
function upToTyping({ library }: Place): string {
  return `${consumerCode(library).replace(/}\n$/, "")}  `;
}

/** The time in ms until the completions of a file that was just opened. */
function timeOpening(project: string, text: string, place: Place): Promise<number> {
  return served(project, async (server, file) => {
    const start = performance.now();
    server.open(file, text + place.typed);
    await expectCompletions(server, file, text + place.typed, place);
    return performance.now() - start;
  });
}

/** The time in ms until the completions of a file that was open and had completions in the line above. */
function timeTyping(project: string, text: string, place: Place): Promise<number> {
  return served(project, async (server, file) => {
    const before = `${text}${place.typed}`;
    server.open(file, before);
    await expectCompletions(server, file, before, place);
    const lines = before.split("\n");
    const start = performance.now();
    server.type(file, lines.length, (lines.at(-1)?.length ?? 0) + 1, `;\n  ${place.typed}`);
    await expectCompletions(server, file, `${before};\n  ${place.typed}`, place);
    return performance.now() - start;
  });
}

async function served(
  project: string,
  measure: (server: TsServer, file: string) => Promise<number>,
): Promise<number> {
  const server = new TsServer(project);
  try {
    await server.ready();
    return await measure(server, join(project, "index.ts"));
  } finally {
    await server.stop();
  }
}

/** Requests the completions at the end of the text. */
async function expectCompletions(
  server: TsServer,
  file: string,
  text: string,
  { expected }: Place,
): Promise<void> {
  const lines = text.split("\n");
  const names = await server.completions(file, lines.length, (lines.at(-1)?.length ?? 0) + 1);
  if (!names.includes(expected)) throw new Error(`${expected} is not among the completions`);
}

const editorRow = (plan: RowPlan, timed: typeof timeOpening): Measurement => ({
  plans: [plan],
  async measure(run) {
    const participants = Object.entries(places).map(([name, place]) => {
      const text = upToTyping(place);
      const project = makeProject(run.work, `${plan.id}-${name.replace(/\W+/g, "-")}`, { "index.ts": text });
      return { name, sample: () => timed(project, text, place) };
    });
    return [await measureRow(run, plan, participants, run.quick ? 3 : 11)];
  },
});

export const editorOpening = editorRow(opening, timeOpening);
export const editorTyping = editorRow(typing, timeTyping);
