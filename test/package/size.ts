import { existsSync } from "node:fs";
import { measureImport, withoutLater } from "../../build/import-size.ts";

/** The size that a page loads at once for each import, in kilobytes of 1 000 bytes. */
const limits = [
  // as README shows it
  { name: "storeFromEnv", from: "shelfleet", source: "src/index.ts", limit: 23.0 },
  { name: "StoreClient", from: "shelfleet/store", source: "src/client/store/index.ts", limit: 22.5 },
  { name: "FleetClient", from: "shelfleet/fleet", source: "src/client/fleet/index.ts", limit: 26.3 },
  { name: "StoreClient, FleetClient", from: "shelfleet", source: "src/index.ts", limit: 29.7 },
];

/** Prints the modules of a client by size. The sources are measured, because the package contains few large files. */
async function printModules(name: string, source: string): Promise<void> {
  const { modules } = await measureImport(name, `./${source}`, [withoutLater]);
  console.log(`\n${name}: minified bytes of each module`);
  for (const [path, bytes] of [...modules].toSorted(([, a], [, b]) => b - a))
    if (bytes > 0) console.log(`${String(bytes).padStart(7)}  ${path}`);
}

if (!existsSync(new URL("../../dist/index.js", import.meta.url))) {
  console.error("dist is missing: npm run build comes first");
  process.exit(1);
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(2)} kB`;
for (const { name, from, limit } of limits) {
  const { files, now, later, modules } = await measureImport(name, from);
  const tooBig = now > limit * 1000;
  const zod = [...modules.keys()].some((path) => /node_modules\/zod\/|dist\/checks\//.test(path));
  console.log(`${from}: ${kilobytes(now)} of ${limit} kB gzip, ${kilobytes(later)} more when needed`);
  if (tooBig) console.error(`${from} is over its limit`);
  if (zod) console.error(`${from} loads zod before a write needs it`);
  if (files > 1)
    console.error(`${from} is ${files} files, because what is loaded later shares modules with it`);
  if (tooBig || zod || files > 1) process.exitCode = 1;
}
for (const { name, source } of limits.slice(0, 2)) await printModules(name, source);
