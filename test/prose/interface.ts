import ts from "typescript";
import type { Passage } from "./passages.ts";

const shown = /^(?:alt|aria-label|label|placeholder|summary|text|title)$/;

/** The texts of an interface in a TSX file: the text of each element, and the attributes that a browser shows or reads. */
export function interfaceTexts(file: string, source: string): Passage[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Passage[] = [];
  const collect = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== "")
      found.push({ file, line: parsed.getLineAndCharacterOfPosition(node.getStart(parsed)).line + 1, text });
    ts.forEachChild(node, collect);
  };
  collect(parsed);
  return found;
}

function textOf(node: ts.Node): string {
  if (ts.isJsxAttribute(node) && shown.test(node.name.getText()))
    return node.initializer && ts.isStringLiteral(node.initializer) ? node.initializer.text : "";
  // an element with its expressions as placeholders, because a sentence can contain several expressions
  if (!ts.isJsxElement(node) || !node.children.some((child) => ts.isJsxText(child) && /\w/.test(child.text)))
    return "";
  return node.children.map(partOf).join("").replaceAll(/\s+/g, " ").trim();
}

function partOf(child: ts.JsxChild): string {
  if (ts.isJsxText(child)) return child.text;
  if (!ts.isJsxExpression(child)) return "`value`";
  const { expression } = child;
  return expression && ts.isStringLiteralLike(expression) ? expression.text : "`value`";
}
