import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A fenced block of a document. */
export interface Block {
  /** Below the package's root. */
  document: string;
  /** The line of the fence. */
  line: number;
  language: string;
  text: string;
  /** The file named by the first line, if this line is a comment with only a file name. */
  file: string | undefined;
}

/** The blocks of README.md, docs/*.md and the skill for coding agents. */
export function blocks(): Block[] {
  return [
    "README.md",
    ...globSync(["docs/[a-z]*.md", "docs/skills/*/SKILL.md"], { cwd: root }).toSorted(),
  ].flatMap((document) => blocksOf(document));
}

/** The blocks of a document in a folder. */
export function blocksOf(document: string, folder = root): Block[] {
  const source = readFileSync(folder + document, "utf8");
  return [...source.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ({ 1: language = "", 2: text = "", index }) => ({
      document,
      line: source.slice(0, index).split("\n").length,
      language,
      text,
      file: /^(?:\/\/|#) (\S+\.\w+)\n/.exec(text)?.[1],
    }),
  );
}
