import ts from "typescript";
import type { Passage } from "./passages.ts";

const declares = /^(?:describe|it|test)(?:\.\w+)*$/;
const placeholders = /^(?:[%$][\w.#]+\W*)+$/;

/** The names of the tests and groups in a file. A name of placeholders only follows the name of its group. */
export function titles(file: string, source: string): Passage[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Passage[] = [];
  const collect = (node: ts.Node, group: string): void => {
    const literal = titleOf(node);
    const title = literal && textOf(literal);
    if (title !== undefined) {
      const line = parsed.getLineAndCharacterOfPosition(literal?.getStart() ?? 0).line + 1;
      found.push({ file, line, text: placeholders.test(title) ? `${group} ${title}`.trim() : title });
    }
    ts.forEachChild(node, (child) => collect(child, title ?? group));
  };
  collect(parsed, "");
  return found;
}

/** The name in `test("name", …)` and `test.each(rows)("name", …)`. */
function titleOf(node: ts.Node): ts.StringLiteralLike | ts.TemplateExpression | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const callee = ts.isCallExpression(node.expression) ? node.expression.expression : node.expression;
  const [first] = node.arguments;
  if (first === undefined || !declares.test(callee.getText().replaceAll(/\s/g, ""))) return undefined;
  return ts.isStringLiteralLike(first) || ts.isTemplateExpression(first) ? first : undefined;
}

function textOf(literal: ts.StringLiteralLike | ts.TemplateExpression): string {
  if (ts.isStringLiteralLike(literal)) return literal.text;
  return literal.head.text + literal.templateSpans.map((span) => `$value${span.literal.text}`).join("");
}
