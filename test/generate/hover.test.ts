import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../generated/", import.meta.url));

/** The hover of an editor on a property of an operation's response. */
function hovers(api: string, expressions: string[]): string[] {
  const file = `${folder}${api}.ts`;
  const program = ts.createProgram([file], { strict: true, noEmit: true, target: ts.ScriptTarget.ES2023 });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  if (!source) throw new Error(`${file} is missing`);
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol);
  return expressions.map((path) => {
    const [name, ...properties] = path.split(".");
    const symbol = exported.find((one) => one.name === name);
    let type = checker.getDeclaredTypeOfSymbol(symbol as ts.Symbol);
    for (const property of properties) {
      type = checker.getTypeOfSymbol(checker.getPropertyOfType(type, property) as ts.Symbol);
    }
    return checker.typeToString(type);
  });
}

it("an editor shows the names of the store API's schemas", () => {
  const names = ["Store", "StorePage", "ProtocolDetail", "ContactInput"];
  expect(hovers("store", names)).toEqual(names);
});

it("an editor shows the names of the fleet API's schemas", () => {
  const names = ["Inspection", "Person", "Vehicle", "PageMeta"];
  expect(hovers("fleet", names)).toEqual(names);
});
