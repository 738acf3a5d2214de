import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { collectMessages } from "./collect.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The committed file with all messages. */
export const messagesFile = `${root}api/messages.txt`;

const header = "# The messages of this package, by file. Written by npm run messages; do not edit.\n";

/** Sample data of the reference server, which is not a message. */
const samples = new Set(["src/mock/apis/fleet/seed/inspections.ts", "src/mock/apis/fleet/seed/vehicles.ts"]);

/** The content of `api/messages.txt`, from the present source. */
export function messagesReport(): string {
  const files = globSync("src/**/*.ts", { cwd: root }).filter((file) => !samples.has(file));
  const parts = files.toSorted().map((file) => {
    const source = ts.createSourceFile(file, readFileSync(root + file, "utf8"), ts.ScriptTarget.Latest, true);
    const messages = collectMessages(source);
    return messages.length === 0 ? "" : `\n# ${file}\n\n${messages.join("\n")}\n`;
  });
  return header + parts.join("");
}
