import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDocument } from "../../specs/generate/document.ts";

/** Writes an API's document for Prism, which does not support `x-nullable`, and returns its file. */
export function documentFile(api: "store" | "fleet"): string {
  const document = readDocument(new URL(`../../specs/${api}.openapi.yaml`, import.meta.url));
  const file = join(mkdtempSync(join(tmpdir(), "referee-")), `${api}.openapi.json`);
  writeFileSync(file, JSON.stringify(document));
  return file;
}
