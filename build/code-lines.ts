import ts from "typescript";

/** Returns the source file of a text; the file need not exist. */
function parse(name: string, text: string): ts.SourceFile {
  const kind = name.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind);
}

/** Adds the lines of a node that have code: a token that is not a comment or a blank. */
function addLines(node: ts.Node, source: ts.SourceFile, texts: readonly string[], lines: Set<number>): void {
  const children = node.getChildren(source).filter((child) => !ts.isJSDoc(child));
  for (const child of children) addLines(child, source, texts, lines);
  const [start, end] = [node.getStart(source), node.getEnd()];
  // `start === end`: the end of the file, or an empty list
  if (children.length > 0 || start === end) return;
  const first = source.getLineAndCharacterOfPosition(start).line;
  const last = source.getLineAndCharacterOfPosition(end).line;
  // a template or a string may have blank lines
  for (let line = first; line <= last; line += 1) if ((texts[line] ?? "").trim() !== "") lines.add(line);
}

function countNode(node: ts.Node, source: ts.SourceFile): number {
  const lines = new Set<number>();
  addLines(node, source, source.text.split("\n"), lines);
  return lines.size;
}

/** Returns the number of lines that have code, without comments and blank lines. */
export function countLines(name: string, text: string): number {
  if (/\.(?:css|html)$/.test(name)) {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->/g, (comment) =>
      comment.replaceAll(/[^\n]/g, ""),
    );
    return code.split("\n").filter((line) => line.trim() !== "").length;
  }
  const source = parse(name, text);
  return countNode(source, source);
}

/** A function and its lines of code. */
export interface FunctionSize {
  place: string;
  lines: number;
}

/** Returns the functions of a file, with their lines of code. */
export function listFunctions(name: string, text: string): FunctionSize[] {
  const source = parse(name, text);
  const found: FunctionSize[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      found.push({ place: `${name}:${line}`, lines: countNode(node, source) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
