import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const source = fileURLToPath(new URL("../../src/", import.meta.url));

/** The JSDoc of each public method of an API's resource classes, by `<resource>.<method>`. */
export function methodComments(api: "store" | "fleet"): Map<string, string> {
  const folder = join(source, "client", api);
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  return new Map(files.flatMap((name) => commentsIn(readFileSync(join(folder, name), "utf8"))));
}

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile("resource.ts", text, ts.ScriptTarget.Latest, true);
}

function commentOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .map((comment) => comment.getText())
    .join("\n");
}

function commentsIn(text: string): [string, string][] {
  const classes = parse(text).statements.filter((statement) => ts.isClassDeclaration(statement));
  return classes.flatMap((one) =>
    one.members
      .filter((property) => functionOf(property) !== undefined)
      .map((method): [string, string] => [
        `${resourceOf(one.name?.text ?? "")}.${method.name?.getText()}`,
        commentOf(method),
      ]),
  );
}

/** The function of a public method, which is a property, so that it works without its object. */
function functionOf(member: ts.ClassElement): ts.ArrowFunction | undefined {
  if (!ts.isPropertyDeclaration(member) || !ts.isIdentifier(member.name)) return undefined;
  return member.initializer && ts.isArrowFunction(member.initializer) ? member.initializer : undefined;
}

/** Returns the name of the resource that a class is: `FillRateMethods` leaves the name to the type of the response. */
function resourceOf(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1).replace(/Methods$/, "s");
}

/** The comments of the properties of a method's query, by name, inherited ones included. */
export function queryComments(api: "store" | "fleet", client: string): Map<string, string> {
  const folder = join(source, "client", api);
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  const statements = files.flatMap((name) => [...parse(readFileSync(join(folder, name), "utf8")).statements]);
  const interfaces = new Map(
    statements.filter((one) => ts.isInterfaceDeclaration(one)).map((one) => [one.name.text, one]),
  );
  const classes = statements.filter((one) => ts.isClassDeclaration(one));
  const [resource = "", method = ""] = client.split(".");
  const owner = classes.find(({ name }) => resourceOf(name?.text ?? "") === resource);
  const found = owner?.members.find((one) => functionOf(one) !== undefined && one.name?.getText() === method);
  const query = found && functionOf(found)?.parameters.find(({ name }) => name.getText() === "query");
  return propertyComments(interfaces, query?.type?.getText() ?? "");
}

function propertyComments(
  interfaces: ReadonlyMap<string, ts.InterfaceDeclaration>,
  name: string,
): Map<string, string> {
  const declaration = interfaces.get(name);
  const bases = declaration?.heritageClauses?.flatMap(({ types }) => [...types]) ?? [];
  const inherited = bases.flatMap((base) => [...propertyComments(interfaces, base.expression.getText())]);
  const own = declaration?.members.map((property): [string, string] => [
    property.name?.getText() ?? "",
    commentOf(property),
  ]);
  return new Map([...inherited, ...(own ?? [])]);
}
