import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Document, readDocument } from "../generate/document.ts";
import { describeDifferences, type Guides } from "./report.ts";

const root = new URL("../../", import.meta.url);
const usage = "Usage: npm run contract:diff -- OLD.yaml [NEW.yaml]";

function read(path: string): Document {
  if (!existsSync(path)) throw new Error(`There is no file ${path}. ${usage}`);
  return readDocument(pathToFileURL(resolve(path)));
}

function titleOf(document: Document): unknown {
  return (document["info"] as { title?: string } | undefined)?.title;
}

/** The document in specs/ that has the title of another version of it. */
function findCurrent(old: Document): Document {
  const all = ["store", "fleet"].map((api) => readDocument(new URL(`specs/${api}.openapi.yaml`, root)));
  const current = all.find((document) => titleOf(document) === titleOf(old));
  if (current === undefined) throw new Error(`No document in specs/ has the title of the old one. ${usage}`);
  return current;
}

/** README and the guides, without the two pages that are generated. */
function readGuides(): Guides {
  const pages = readdirSync(new URL("docs", root)).filter((name) =>
    /^(?!gaps\.|operations\.).*\.md$/.test(name),
  );
  const paths = ["README.md", ...pages.map((name) => `docs/${name}`)];
  return new Map(paths.map((path) => [path, readFileSync(new URL(path, root), "utf8")]));
}

const [before, after] = process.argv.slice(2);
try {
  if (before === undefined) throw new Error(usage);
  const old = read(before);
  console.log(describeDifferences(old, after === undefined ? findCurrent(old) : read(after), readGuides()));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
