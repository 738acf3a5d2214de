import openapiTypescript, { astToString } from "openapi-typescript";
import ts from "typescript";
import { type Document, endpoints, type Schema } from "./document.ts";
import { compactTypes, oneLine } from "./compact-types.ts";
import { visitObjects } from "./visit.ts";

const { factory } = ts;

type StringSchema = { type?: unknown } & Pick<Schema, "x-open-enum" | "x-known-values">;

/** `"COMPLETED" | (string & {})`: any string, whose known values a hover and a completion still show. */
function openUnion(known: ts.TypeNode[], nullable: boolean): ts.TypeNode {
  const text = factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
  const any = factory.createIntersectionTypeNode([text, factory.createTypeLiteralNode([])]);
  const none = nullable ? [factory.createLiteralTypeNode(factory.createNull())] : [];
  return factory.createUnionTypeNode([...known, factory.createParenthesizedType(any), ...none]);
}

/** The type of a string with values beyond the known ones; undefined leaves a schema to openapi-typescript. */
function openString(schema: StringSchema): ts.TypeNode | undefined {
  const nullable = Array.isArray(schema.type) && schema.type.includes("null");
  const name = schema["x-open-enum"];
  if (name !== undefined) return openUnion([factory.createTypeReferenceNode(name)], nullable);
  const values = schema["x-known-values"];
  if (values === undefined) return undefined;
  const literals = values.map((value) => factory.createLiteralTypeNode(factory.createStringLiteral(value)));
  return openUnion(literals, nullable);
}

/** Returns the properties of `components.schemas` in openapi-typescript's output. */
function schemaProperties(source: ts.SourceFile): ts.PropertySignature[] {
  const components = source.statements
    .filter((statement) => ts.isInterfaceDeclaration(statement))
    .find((statement) => statement.name.text === "components");
  const schemas = components?.members.find((property) => property.name?.getText(source) === "schemas");
  const type = schemas && ts.isPropertySignature(schemas) ? schemas.type : undefined;
  if (!type || !ts.isTypeLiteralNode(type)) throw new Error("openapi-typescript wrote no components.schemas");
  return type.members.filter((property) => ts.isPropertySignature(property));
}

/**
 * An object and a reference to one become an interface, because hovers keep an interface's name; anything else
 * becomes a type alias. In an input, an optional property may be undefined: what was read can be written back.
 */
function declaration(source: ts.SourceFile, property: ts.PropertySignature, isInput: boolean): string {
  const { type } = property;
  if (!type) throw new Error(`a schema without a type: ${property.getText(source)}`);
  const name = property.name.getText(source);
  const doc = source.text.slice(property.getFullStart(), property.getStart(source, false)).trim();
  const parts = ts.isIntersectionTypeNode(type) ? [...type.types] : [type];
  const literals = parts.filter((part) => ts.isTypeLiteralNode(part));
  const others = parts.filter((part) => !ts.isTypeLiteralNode(part));
  const bases = others.map((part) => part.getText(source));
  if (literals.length === 0 && !others.every((part) => ts.isIndexedAccessTypeNode(part)))
    return `${doc}\nexport type ${name} = ${type.getText(source)};\n`;
  const heritage = bases.length ? ` extends ${bases.join(", ")}` : "";
  const properties = literals.flatMap((literal) =>
    literal.members.map((one) => {
      const text = one.getFullText(source);
      const isOptional = isInput && ts.isPropertySignature(one) && one.questionToken !== undefined;
      return isOptional ? text.replace(/;$/, " | undefined;") : text;
    }),
  );
  return `${doc}\nexport interface ${name}${heritage} {${properties.join("")}\n}\n`;
}

/** Returns the schemas of request bodies, also those of their parts. */
function inputNames(document: Document): Set<string> {
  const names = new Set<string>();
  const addRefs = (schema: object | undefined): void =>
    visitObjects(schema, ({ $ref }) => {
      const name = typeof $ref === "string" ? ($ref.split("/").at(-1) ?? "") : "";
      if (name === "" || names.has(name)) return;
      names.add(name);
      addRefs(document.components.schemas[name]);
    });
  for (const { body } of endpoints(document)) addRefs(body);
  return names;
}

/** Named types for every component schema, and the `paths` that openapi-fetch is typed by. */
export async function typesModule(document: Document): Promise<string> {
  const nodes = await openapiTypescript(JSON.stringify(document), {
    defaultNonNullable: false,
    silent: true,
    transform: openString,
  });
  const source = ts.createSourceFile("types.ts", astToString(nodes), ts.ScriptTarget.Latest, false);
  const properties = schemaProperties(source);
  const inputs = inputNames(document);
  const named = properties.map((property) =>
    declaration(source, property, inputs.has(property.name.getText(source))),
  );
  return [...named, compactTypes(source.text)]
    .join("\n")
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, "$1")
    .replaceAll(/^(\s*\/?\*+) @description /gm, "$1 ")
    .replaceAll(/^\s*\*? ?@enum \{.*\}\n/gm, "")
    .replaceAll(/\/\*\* @enum \{.*?\} \*\//g, "")
    .replaceAll(/^\s+\* +/gm, " * ")
    .replaceAll(/\/\*\*\n *\* ([^@\n]*)\n *\*\//g, "/** $1 */")
    .replaceAll(/\/\*\*\n( \* Format: .*\n)((?: \* .*\n)+)/g, "/**\n$2$1")
    .replaceAll(/^( *parameters\??: )\{([^{}]*?)\};/gm, (all, start: string, inner: string) =>
      inner.includes("*") ? all : `${start}{ ${oneLine(inner)} };`,
    )
    .replaceAll(
      /\{\s*(\[name: string\]: unknown;|"application\/json": [^{};]+;)\s*\}/g,
      (_all, property: string) => `{ ${property} }`,
    )
    .replaceAll(/^export type (?:webhooks|\$defs) = Record<string, never>;$/gm, "");
}
