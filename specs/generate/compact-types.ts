/** The lines of a property that nothing may set; a response without content keeps its own (`content?: never`). */
const UNUSED = /^ *(?!content)\w+\??: never;\n/gm;

const COMMENT = /^ *\/\*\*[\s\S]*?\*\/\n/gm;

/** A response with a JSON body, as openapi-typescript writes it. */
const JSON_RESPONSE =
  /\{\s*headers: \{\s*\[name: string\]: unknown;\s*\};\s*content: \{\s*"application\/json": ([^{};]+);\s*\};\s*\}/g;

const JSON_BODY = /\{\s*content: (\{\s*"application\/json": [^{};]+;\s*\});\s*\}/g;

/** The path, query or headers of an operation. */
const PARAMETERS = /^ {12}(path|query|header)(\??): (\{[\s\S]*?^ {12}\});/gm;

const RESPONSES = /^ {8}responses: \{\n([\s\S]*?)^ {8}\};/gm;

/** Writes `code` on one line. */
export function oneLine(code: string): string {
  return code.trim().replaceAll(/\s+/g, " ");
}

/** Names the parameters that several operations have, such as `VehicleIdPath`, so that they are described once. */
function shareParameters(operations: string): string {
  const literals = [...operations.matchAll(PARAMETERS)].map(([, place = "", , literal = ""]) => ({
    place,
    literal,
  }));
  const shared = new Map<string, string>();
  for (const [index, { place, literal }] of literals.entries()) {
    if (!literals.slice(index + 1).some((later) => later.literal === literal)) continue;
    if (shared.has(literal)) continue;
    const parts = [...literal.matchAll(/\["parameters"\]\["(\w+)"\]/g)].map(([, name = ""]) => name);
    const name = `${parts.join("")}${place.charAt(0).toUpperCase()}${place.slice(1)}`;
    if ([...shared.values()].includes(name)) throw new Error(`two sets of parameters are named ${name}`);
    shared.set(literal, name);
  }
  const used = operations.replaceAll(PARAMETERS, (all, place: string, optional: string, literal: string) => {
    const name = shared.get(literal);
    return name === undefined ? all : `            ${place}${optional}: ${name};`;
  });
  return [...[...shared].map(([literal, name]) => `export interface ${name} ${literal}\n`), used].join("\n");
}

/** Names the responses that every operation has, so that each lists only its own. */
function shareResponses(operations: string): string {
  const lists = [...operations.matchAll(RESPONSES)].map(([, list = ""]) => list.split("\n"));
  const everywhere = (lists[0] ?? []).filter(
    (line) => line !== "" && lists.every((list) => list.includes(line)),
  );
  const used = operations.replaceAll(RESPONSES, (_, list: string) => {
    const own = list
      .split("\n")
      .filter((line) => !everywhere.includes(line))
      .join("\n");
    return `        responses: CommonResponses & {${own.includes("*") ? `\n${own}` : ` ${oneLine(own)} `}};`;
  });
  return `/** The responses of every operation. */\nexport interface CommonResponses {\n${everywhere.join("\n")}\n}\n\n${used}`;
}

/** A path repeats the parameters of its operations, whose comments a hover shows; the title of an operation begins its comment. */
function shortenPaths(paths: string): string {
  return paths
    .replaceAll(/^ {8}parameters: \{[\s\S]*?^ {8}\};\n/gm, "")
    .replaceAll(/\/\*\*\n +\* (.*)\n +\* @description (.*)\n +\*\//g, "/** $1. $2 */");
}

/** The components: a parameter without the comment that its operations have. */
function shortenComponents(components: string): string {
  return components
    .replace(/^ {4}schemas: \{[\s\S]*?^ {4}\};\n/m, "")
    .replace(/^ {4}parameters: \{[\s\S]*?^ {4}\};\n/m, (parameters) => parameters.replaceAll(COMMENT, ""));
}

/** Removes from openapi-typescript's `paths`, `components` and `operations` what says nothing or is there twice. */
export function compactTypes(code: string): string {
  const short = code
    .replaceAll(UNUSED, "")
    .replaceAll(JSON_RESPONSE, "JsonResponse<$1>")
    .replaceAll(JSON_BODY, (_, content: string) => `{ content: ${oneLine(content)} }`)
    .replace(/^export interface paths \{[\s\S]*?^\}/m, shortenPaths)
    .replace(/^export interface components \{[\s\S]*?^\}/m, shortenComponents)
    .replace(/^export interface operations \{[\s\S]*?^\}/m, (operations) =>
      shareResponses(shareParameters(operations)),
    );
  return `/** A response with a JSON body. */
export interface JsonResponse<Body> {
  headers: { [name: string]: unknown };
  content: { "application/json": Body };
}

${short}`;
}
