// Writes the public interface of each entry point to `build/api/`, so that a change of it is seen in review. The declarations
// come from `dist`, without comments. With --check it only names the reports that differ.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { entrySources } from "./entry-sources.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = `${root}build/api/`;
const header = "// Written by npm run api; do not edit.\n";

/** The report of one entry point: its exports in order, each with its declaration. */
function report(entry: string, program: ts.Program): string {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(`${root}dist/${entry}.d.ts`);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`dist/${entry}.d.ts is missing: npm run build comes first`);
  const printer = ts.createPrinter({ removeComments: true });
  const print = (symbol: ts.Symbol): string[] => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const texts = (target.declarations ?? []).map((one) => {
      const whole = ts.isVariableDeclaration(one) ? one.parent.parent : one;
      const text = printer.printNode(ts.EmitHint.Unspecified, whole, whole.getSourceFile());
      return text.replace(/^(export )?(declare )?/, "");
    });
    const renamed = target.name === symbol.name ? [] : [`// ${symbol.name} is ${target.name}`];
    return [...renamed, ...new Set(texts)];
  };
  const symbols = checker.getExportsOfModule(module).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [header, ...symbols.map((symbol) => `${print(symbol).join("\n")}\n`)].join("\n");
}

/** Every entry point, but those whose interface is generated data: their source is committed and in review already. */
const entries = Object.keys(entrySources).filter((name) => !name.endsWith("/schemas"));
const program = ts.createProgram(
  entries.map((name) => `${root}dist/${name}.d.ts`),
  { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, skipLibCheck: true, types: [] },
);
const reports = new Map(entries.map((name) => [`${name}.api.ts.txt`, report(name, program)]));
const present = globSync("**/*.api.ts.txt", { cwd: folder });
const read = (name: string): string | undefined =>
  present.includes(name) ? readFileSync(folder + name, "utf8") : undefined;
const differing = [
  ...[...reports].filter(([name, text]) => read(name) !== text).map(([name]) => name),
  ...present.filter((name) => !reports.has(name)),
];

if (process.argv.includes("--check")) {
  for (const name of differing) console.error(`build/api/${name} differs from the build: npm run api`);
  if (differing.length > 0) process.exitCode = 1;
} else {
  for (const name of differing) {
    const text = reports.get(name);
    if (text === undefined) rmSync(folder + name);
    else {
      mkdirSync(dirname(folder + name), { recursive: true });
      writeFileSync(folder + name, text);
    }
  }
}
console.log(`${reports.size} entry points, ${differing.length} reports differ`);
