/** The source of each entry point without its extension, by the name of its files in `dist`. */
export const entrySources: Readonly<Record<string, string>> = {
  index: "src/index",
  store: "src/client/store/index",
  fleet: "src/client/fleet/index",
  sync: "src/sync/index",
  "store/schemas": "generated/store.schemas",
  "fleet/schemas": "generated/fleet.schemas",
  node: "src/client/node",
  opentelemetry: "src/client/opentelemetry",
  mock: "src/mock/index",
  "mock/msw": "src/mock/msw",
  "mock/node": "src/mock/node",
  prove: "src/prove/index",
};

/** The source file of each entry point, by the name that users import. */
export const sourcesByImport: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(entrySources).map(([name, source]) => [
    name === "index" ? "shelfleet" : `shelfleet/${name}`,
    `${source}.ts`,
  ]),
);

/** The same of files without declarations. */
const untypedSources: Readonly<Record<string, string>> = {
  "node/unsupported": "src/client/node-unsupported",
  cli: "src/cli/main",
};

/** The source files of what the clients load later, with its own copy of what it needs: a page is then one file. */
export const checkEntries = Object.fromEntries(
  ["store", "fleet"].map((api) => [`checks/${api}`, `src/client/${api}/contract-check.ts`]),
);

const isServer = (name: string): boolean => /^(?:mock|cli|prove)/.test(name);
const allEntries = Object.entries({ ...entrySources, ...untypedSources }).map(
  ([name, source]) => [name, `${source}.ts`] as const,
);

/** The source files of the clients' entry points, and of the others. */
export const clientEntries = Object.fromEntries(allEntries.filter(([name]) => !isServer(name)));
export const serverEntries = Object.fromEntries(allEntries.filter(([name]) => isServer(name)));

/** The source file of the entry point whose declarations package.json names. */
export function sourceOfTypes(types: string): string {
  const name = types.replace(/^\.\/dist\/|\.d\.ts$/g, "");
  const source = entrySources[name];
  if (source === undefined) throw new Error(`build/entry-sources.ts has no source for ${types}`);
  return `${source}.ts`;
}
