import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { visitObjects } from "../../specs/generate/visit.ts";

type Parts = Record<string, Record<string, unknown>>;

/** What a test of a document reads. */
interface Document {
  info: object;
  paths: Record<string, Parts>;
  components: Record<"schemas" | "parameters", Parts>;
}

/** The descriptions that name a gap or a section of the contract. */
function repetitions(document: Document): string[] {
  const found: string[] = [];
  visitObjects(document, ({ description }) => {
    if (typeof description === "string" && /\bgaps?:? `?[a-z-]+\.[a-z]|\bContract:/i.test(description))
      found.push(description);
  });
  return found;
}

/** The texts about the contract instead of the API: what it leaves open is in `gaps.yaml`. */
function textsAboutTheContract({ info: _, ...document }: Document): string[] {
  const found: string[] = [];
  visitObjects(document, ({ description, summary }) => {
    for (const text of [description, summary])
      if (typeof text === "string" && /\bcontract\b|\bnot (?:shown|stated)\b/i.test(text)) found.push(text);
  });
  return found;
}

/** The operations and components that do not name the section of the contract that they follow. */
function withoutSection({ paths, components }: Document): string[] {
  const operations = Object.values(paths).flatMap(({ parameters: _, ...item }) =>
    Object.values(item).map((operation): [string, object] => [String(operation["operationId"]), operation]),
  );
  const { schemas, parameters } = components;
  return [...operations, ...Object.entries(schemas), ...Object.entries(parameters)]
    .filter(([, part]) => !("x-contract" in part))
    .map(([name]) => name);
}

describe.each(["store", "fleet"])("the %s document", (name) => {
  const file = new URL(`../../specs/${name}.openapi.yaml`, import.meta.url);
  const document = parse(readFileSync(file, "utf8")) as Document; // linted against the OpenAPI schema

  it("keeps gaps and sections of the contract out of what an editor shows", () => {
    expect(repetitions(document)).toEqual([]);
  });

  it("describes the API and not the contract", () => {
    expect(textsAboutTheContract(document)).toEqual([]);
  });

  it("names the section of the contract for each operation, schema and parameter", () => {
    expect(withoutSection(document)).toEqual([]);
  });
});
