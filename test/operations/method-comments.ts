import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const source = fileURLToPath(new URL("../../src/", import.meta.url));

/** The JSDoc of each public method of an API's resource classes, by `<resource>.<method>`. */
export function methodComments(api: "store" | "fleet"): Map<string, string> {
  const folder = join(source, api);
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  return new Map(files.flatMap((name) => commentsIn(readFileSync(join(folder, name), "utf8"))));
}

function commentsIn(text: string): [string, string][] {
  const file = ts.createSourceFile("resource.ts", text, ts.ScriptTarget.Latest, true);
  const classes = file.statements.filter((statement) => ts.isClassDeclaration(statement));
  return classes.flatMap((one) =>
    one.members
      .filter((member) => ts.isMethodDeclaration(member))
      .filter(({ name }) => ts.isIdentifier(name))
      .map((method): [string, string] => [
        `${uncapitalized(one.name?.text ?? "")}.${method.name.getText(file)}`,
        ts
          .getJSDocCommentsAndTags(method)
          .map((doc) => doc.getText(file))
          .join("\n"),
      ]),
  );
}

function uncapitalized(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
