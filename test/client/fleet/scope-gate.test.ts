import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const { config } = ts.readConfigFile(`${root}/tsconfig.json`, (path) => readFileSync(path, "utf8")) as {
  config: object;
};
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);

/** The compiler's error for each line of a consumer's file. */
function complaints(lines: string[]): (string | undefined)[] {
  const file = fileURLToPath(new URL("consumer.ts", import.meta.url));
  const imports = 'import { FleetClient } from "../../../src/client/fleet/index.ts";';
  const text = [imports, ...lines].join("\n");
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, language) =>
    name === file ? ts.createSourceFile(name, text, language) : getSourceFile(name, language);
  host.fileExists = (name) => name === file || ts.sys.fileExists(name);
  const program = ts.createProgram([file], { ...options, types: [] }, host);
  const found = new Map<number, string>();
  for (const { start = 0, file: source, messageText } of program.getSemanticDiagnostics(
    program.getSourceFile(file),
  )) {
    const line = source?.getLineAndCharacterOfPosition(start).line ?? 0;
    found.set(line, ts.flattenDiagnosticMessageText(messageText, " "));
  }
  return lines.map((_, at) => found.get(at + 1));
}

it("a call that the declared scopes surely do not allow is a compile error that reads like a sentence", () => {
  const fleet = 'const fleet = new FleetClient({ baseUrl: "x", key: "k", scopes: ["vehicles:read"] });';
  const [declared, allowed, disputed, ...refused] = complaints([
    fleet,
    "void fleet.vehicles.list();",
    'void fleet.damages.get("d");',
    "void fleet.vehicles.create({});",
    'void fleet.driverAssignments.release("a");',
    "void fleet.inspectionTemplates.list();",
    "for await (const group of fleet.vehicleGroups.list()) void group;",
  ]);
  expect([declared, allowed, disputed]).toEqual([undefined, undefined, undefined]);
  const says = (reason: string): string =>
    `This expression is not callable.   Type 'Forbidden<"${reason}, which this client was not given">' has no call signatures.`;
  expect(refused).toEqual([
    says("createVehicle needs the scope vehicles:write"),
    says("releaseDriverAssignment needs the scope driver-assignments:write"),
    says("listInspectionTemplates needs the scope inspection-templates:read or inspections:read"),
    says("listVehicleGroups needs the scope vehicle-groups:read"),
  ]);
});

it("without declared scopes everything compiles", () => {
  const fleet = 'const fleet = new FleetClient({ baseUrl: "x", key: "k" });';
  const found = complaints([
    fleet,
    "void fleet.vehicles.create({});",
    'void fleet.driverAssignments.release("a");',
  ]);
  expect(found).toEqual([undefined, undefined, undefined]);
});
