import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { generatedFiles } from "../../specs/generate/modules.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Each change of the contract: the document, the text in it and the text that replaces it. */
const changes = [
  ["store", /maximum: \d+(?=\n        default: 100\n)/, "maximum: 250"],
  ["store", /(PhotoLimit:[^]*?)maximum: \d+\n        default: 100/, "$1maximum: 40\n        default: 20"],
  ["store", "maxItems: 500", "maxItems: 2"],
  ["store", "completed, failed]\n    ImageStatus", "completed, failed, archived]\n    ImageStatus"],
  ["store", "- Ulica\n", "- Ulica\n        - Changed\n"],
  ["fleet", "enum: [OK, WARNING, NOT_OK]", "enum: [OK, WARNING, NOT_OK, UNKNOWN]"],
  ["fleet", /\/api\/third-party\/v1"/g, '/api/third-party/v2"'],
  ["fleet", "- damages:read\n", "- damages:read\n        - damages:inspect\n"],
  [
    "fleet",
    "- bearerKey: [vehicles:write]\n      requestBody",
    "- bearerKey: [vehicles:write]\n        - bearerKey: [damages:inspect]\n      requestBody",
  ],
] as const;

/** Copies the documents with the changes and the sources, generates from the documents, and returns the folder. */
export async function copyWithChanges(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "regeneration-"));
  cpSync(join(root, "specs"), join(folder, "specs"), { recursive: true });
  for (const [api, before, after] of changes) {
    const file = join(folder, "specs", `${api}.openapi.yaml`);
    const text = readFileSync(file, "utf8");
    const changed = text.replace(before, after);
    if (changed === text) throw new Error(`${file} does not contain ${String(before)}`);
    writeFileSync(file, changed);
  }
  const files = await generatedFiles({ specs: pathToFileURL(`${join(folder, "specs")}/`) });
  mkdirSync(join(folder, "generated"));
  for (const [path, code] of files) writeFileSync(join(folder, path), code);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  cpSync(join(root, "src"), join(folder, "src"), { recursive: true });
  return folder;
}
