import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { makeProject } from "../consumer-projects.ts";
import { ours } from "../contenders.ts";
import type { Measurement, RowPlan } from "../measurement.ts";
import { measureRow } from "../rounds.ts";
import { atMost, goal } from "../target.ts";

const withLater = `${ours}, what it may load later included`;
const byHand = 'import createClient from "openapi-fetch"; import ky from "ky"; export { createClient, ky };';
const redocly = "Redocly's generated client";
const openai = 'export { default } from "openai";';
const stripe = 'export { default } from "stripe";';

const plan = (id: string, what: string, limit: number): RowPlan => ({
  id: `bundle-${id}`,
  what: `bundle of ${what}, minified and gzipped`,
  unit: "kB",
  better: "less",
  ours,
  target: goal(atMost(limit, "kB")),
});

/** The imports of each contender; openai and stripe need the same for any operation. */
const bundles: readonly { row: RowPlan; code: Record<string, string> }[] = [
  {
    row: plan("operation", "one operation", 22),
    code: {
      [ours]: `import { StoreClient } from "shelfleet/store";
        export const read = (token, id) => new StoreClient({ baseUrl: "https://a.example", token }).stores.get(id);`,
      "openapi-fetch + ky": byHand,
      "hey-api": 'export { getStore } from "hey-api/store";',
      [redocly]: 'export { getStore } from "redocly/store";',
      openai,
      stripe,
    },
  },
  {
    row: plan("client", "the store's client", 22),
    code: {
      [ours]: 'export { StoreClient } from "shelfleet/store";',
      "openapi-fetch + ky": byHand,
      "hey-api": 'export * from "hey-api/store";',
      [redocly]: 'export * from "redocly/store";',
      openai,
      stripe,
    },
  },
  {
    row: plan("fleet", "the fleet's client", 22),
    code: {
      [ours]: 'export { FleetClient } from "shelfleet/fleet";',
      "openapi-fetch + ky": byHand,
      "hey-api": 'export * from "hey-api/fleet";',
      [redocly]: 'export * from "redocly/fleet";',
      openai,
      stripe,
    },
  },
  {
    row: plan("both", "both clients", 28),
    code: {
      [ours]: 'export { StoreClient, FleetClient } from "shelfleet";',
      "openapi-fetch + ky": byHand,
      "hey-api": 'export * as store from "hey-api/store"; export * as fleet from "hey-api/fleet";',
      [redocly]: 'export * as store from "redocly/store"; export * as fleet from "redocly/fleet";',
      openai,
      stripe,
    },
  },
];

/** The size in kB of what is loaded at once, or of that and everything that `import()` may load later. */
async function bundled(folder: string, contents: string, later: boolean): Promise<number> {
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    absWorkingDir: folder,
    outdir: "out",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    metafile: true,
    write: false,
    logLevel: "error",
  });
  const { outputs } = metafile;
  const wanted = Object.keys(outputs).filter((file) => outputs[file]?.entryPoint === "<stdin>");
  for (const file of wanted) {
    const imports = outputs[file]?.imports ?? [];
    const next = imports.filter(
      ({ kind, path }) => (later || kind === "import-statement") && !wanted.includes(path),
    );
    wanted.push(...new Set(next.map(({ path }) => path)));
  }
  const sizes = outputFiles
    .filter(({ path }) => wanted.some((file) => path.replaceAll("\\", "/").endsWith(`/${file}`)))
    .map(({ contents: bytes }) => gzipSync(bytes, { level: 9 }).length);
  if (sizes.length === 0) throw new Error("esbuild made no entry chunk");
  return sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000;
}

export const bundleSizes: Measurement = {
  plans: bundles.map(({ row }) => row),
  async measure(run) {
    const folder = makeProject(run.work, "bundles", { "index.ts": "export {};\n" });
    const rows = bundles.map(({ row, code }) => {
      const participants = Object.entries(code).map(([name, text]) => ({
        name,
        sample: () => bundled(folder, text, false),
      }));
      const whole = { name: withLater, sample: () => bundled(folder, code[ours] ?? "", true) };
      return measureRow(run, row, [...participants, whole], 1);
    });
    return Promise.all(rows);
  },
};
