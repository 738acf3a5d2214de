// Merges the chunks of the clients in `dist/`: what a client loads at once is its entry point and one file for both clients.
// tsup writes a small file for every module that a lazily loaded one shares with a client.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type GetModuleInfo, rollup } from "rollup";
import { clientEntries } from "./entry-sources.ts";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const unmerged = `${dist}unmerged/`;
const fileOf = (name: string): string => `${unmerged}${name}.js`;

/** Returns a file and all that it imports, without what it loads later. */
function loadedAtOnce(file: string, getModuleInfo: GetModuleInfo): ReadonlySet<string> {
  const found = new Set([file]);
  for (const id of found) for (const imported of getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/** Returns the file that an entry point imports its client from. */
function clientFile(entry: string): string {
  const code = readFileSync(fileOf(entry), "utf8");
  const [, file] = /import \{[^}]*\b(?:Store|Fleet)Client\b[^}]*\} from "\.\/([^"]+)"/.exec(code) ?? [];
  if (file === undefined) throw new Error(`${entry}.js imports no client`);
  return unmerged + file;
}

const clients = ["store", "fleet"];
const exportsFile = "exports";

/**
 * Returns the file of a chunk: what both clients need, what one of them needs, or what the entry points only export, such
 * as classes of errors. A page that imports a client loads the last ones when they are needed.
 */
function chooseFile(id: string, getModuleInfo: GetModuleInfo): string | undefined {
  const [user, other] = clients.filter((name) => loadedAtOnce(clientFile(name), getModuleInfo).has(id));
  if (user !== undefined) return other === undefined ? `${user}-client` : "client";
  const isExported = clients.some((name) => loadedAtOnce(fileOf(name), getModuleInfo).has(id));
  return isExported && getModuleInfo(id)?.isEntry === false ? exportsFile : undefined;
}

/**
 * Divides an entry point into two files: what its clients need, and the rest. esbuild loads at once whatever the same file
 * exports, but not what another file exports.
 */
function divideEntry(name: string): void {
  const file = `${dist}${name}.js`;
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("//# "));
  const other = lines.find((line) => !/^export \{.*\} from '.*';$/.test(line));
  if (other !== undefined) throw new Error(`${name}.js has more than exports of other files: ${other}`);
  const isLater = (line: string): boolean => line.includes(`chunk-${exportsFile}-`);
  const parts = { main: lines.filter((line) => !isLater(line)), [exportsFile]: lines.filter(isLater) };
  for (const [part, kept] of Object.entries(parts))
    writeFileSync(`${dist}${name}-${part}.js`, `${kept.join("\n")}\n`);
  writeFileSync(
    file,
    Object.keys(parts)
      .map((part) => `export * from "./${name}-${part}.js";\n`)
      .join(""),
  );
}

const bundle = await rollup({
  input: Object.fromEntries(Object.keys(clientEntries).map((name) => [name, fileOf(name)])),
  external: /^[^./]/,
  treeshake: { moduleSideEffects: false },
  onwarn(warning) {
    throw new Error(warning.message);
  },
});
await bundle.write({
  dir: dist,
  format: "es",
  hoistTransitiveImports: false,
  chunkFileNames: "chunk-[name]-[hash].js",
  manualChunks: (id, { getModuleInfo }) => chooseFile(id, getModuleInfo),
});
await bundle.close();
rmSync(unmerged, { recursive: true });
for (const name of [...clients, "index"]) divideEntry(name);
