import type * as Fleet from "../src/client/fleet/index.ts";
import type * as Node from "../src/client/node.ts";
import type * as Store from "../src/client/store/index.ts";
import type * as Mock from "../src/mock/index.ts";
import type * as Sync from "../src/sync/index.ts";
import { fileURLToPath } from "node:url";

// The built package with the types of its sources, because users install the built package.

interface Entries {
  fleet: typeof Fleet;
  mock: typeof Mock;
  node: typeof Node;
  store: typeof Store;
  sync: typeof Sync;
}

/** Names the folder of another build, which is measured beside this one. */
export const folderVariable = "BENCH_PACKAGE";

/** The folder of the package. */
export const packageFolder = process.env[folderVariable] ?? fileURLToPath(new URL("..", import.meta.url));

/** Imports an entry of the package. */
export async function load<Name extends keyof Entries>(name: Name): Promise<Entries[Name]> {
  return (await import(`${packageFolder}/dist/${name}.js`)) as Entries[Name];
}
