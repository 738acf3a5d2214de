import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isCollection, parse, parseDocument, visit } from "yaml";

/** What a test of a document reads. */
interface Document {
  servers: { description: string; variables: Record<string, object> }[];
  paths: Record<string, Record<string, { responses?: Record<string, { $ref?: string }> }>>;
  components: Partial<Record<string, Record<string, { content?: unknown }>>>;
}

function text(file: string): string {
  return readFileSync(new URL(`../../specs/${file}`, import.meta.url), "utf8");
}

/** The plain scalars in `{ … }` and `[ … ]` that contain a question mark, which PyYAML takes for the start of a key. */
function questionsInFlow(yaml: string): string[] {
  const found: string[] = [];
  visit(parseDocument(yaml), {
    Scalar(_, { type, source }, path) {
      const isInFlow = path.some((node) => isCollection(node) && node.flow === true);
      if (type === "PLAIN" && isInFlow && source?.includes("?")) found.push(source);
    },
  });
  return found;
}

/** The names of a document's components as orval writes them, if two components share one. */
function sharedNames({ components }: Document): string[] {
  const suffixes = { schemas: "", responses: "Response", requestBodies: "Body" };
  const names = Object.entries(suffixes).flatMap(([kind, suffix]) =>
    Object.keys(components[kind] ?? {}).map((name) => name + suffix),
  );
  const own = Object.values(components).flatMap((kind) => Object.keys(kind ?? {}));
  return [names, own].flatMap((list) => list.filter((name, index) => list.indexOf(name) !== index));
}

/** The successes whose body is behind a reference, for which swagger-typescript-api writes no type and `data: null`. */
function referredSuccesses({ paths, components }: Document): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses = {} }]) =>
      Object.entries(responses)
        .filter(([status, { $ref }]) => {
          const name = $ref?.split("/").at(-1) ?? "";
          return status.startsWith("2") && components["responses"]?.[name]?.content !== undefined;
        })
        .map(([status]) => `${method} ${path} ${status}`),
    ),
  );
}

it.each(["store.openapi.yaml", "fleet.openapi.yaml", "control.openapi.yaml", "gaps.yaml"])(
  "PyYAML reads %s as other parsers do",
  (file) => {
    expect(questionsInFlow(text(file))).toEqual([]);
    // PyYAML follows YAML 1.1, where `no` and `06:00` without quotes are no strings
    expect(parse(text(file), { version: "1.1" })).toEqual(parse(text(file)));
  },
);

describe.each(["store", "fleet", "control"])("the %s document", (name) => {
  const document = parse(text(`${name}.openapi.yaml`)) as Document; // linted against the OpenAPI schema

  it("has no component whose name in orval's client is that of another one", () => {
    expect(sharedNames(document)).toEqual([]);
  });

  it("has the body of each success in the operation, where swagger-typescript-api looks for it", () => {
    expect(referredSuccesses(document)).toEqual([]);
  });

  it("has nothing but a default in a server's variable, so that swagger-parser accepts it", () => {
    const variables = document.servers.flatMap((server) => Object.values(server.variables));
    expect(variables.map((variable) => Object.keys(variable))).toEqual(variables.map(() => ["default"]));
  });

  it("has a server's description of two words, of which Redocly makes the name of a function", () => {
    for (const { description } of document.servers) expect(description).toMatch(/^[A-Z]\w+ \w+$/);
  });
});
