import { existsSync } from "node:fs";
import { join } from "node:path";

/** Returns the source of an entry point, below the package's root, e.g. `src/mock/index.ts` for `./dist/mock.d.ts`. */
export function entrySource(declarations: string, root: string): string {
  const name = declarations.replace(/^\.\/dist\/|\.d\.ts$/g, "");
  const candidates = [`src/${name}/index.ts`, `src/${name}.ts`, `generated/${name.replace("/", ".")}.ts`];
  const found = candidates.find((path) => existsSync(join(root, path)));
  if (found === undefined) throw new Error(`${declarations} has no source: none of ${candidates.join(", ")}`);
  return found;
}
