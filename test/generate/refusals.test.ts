import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Document, type Operation, resolve, type Schema } from "../../specs/generate/document.ts";
import { methodsInterface } from "../../specs/generate/methods.ts";
import { operationsModule } from "../../specs/generate/operations.ts";
import { generatedFiles } from "../../specs/generate/modules.ts";
import { openBodies } from "../../specs/generate/open-enums.ts";
import { schemasModule } from "../../specs/generate/schemas.ts";
import { expression } from "../../specs/generate/zod.ts";

function documentWith(schema: Schema, schemas: Record<string, Schema> = {}): Document {
  const content = { "application/json": { schema } };
  const operation = { operationId: "getIt", responses: { "200": { content } } };
  return { paths: { "/it": { get: operation } }, components: { schemas } };
}

describe("the generator rejects", () => {
  it("a keyword that it does not know", () => {
    expect(() => expression({ type: "string", contentEncoding: "base64" })).toThrow("contentEncoding");
  });

  it("a type or a format that it does not know", () => {
    expect(() => expression({ type: "file" })).toThrow("file");
    expect(() => expression({ type: "string", format: "uiud" })).toThrow("uiud");
  });

  it("a reference to a missing definition", () => {
    expect(() => resolve(documentWith({}), { $ref: "#/components/responses/Missing" })).toThrow("Missing");
    expect(() => schemasModule(documentWith({}, { A: { $ref: "#/components/schemas/Gone" } }))).toThrow(
      "Gone",
    );
  });

  it("schemas that refer to themselves", () => {
    const tree = { type: "array", items: { $ref: "#/components/schemas/Tree" } };
    expect(() => schemasModule(documentWith({}, { Tree: tree }))).toThrow("Tree → Tree");
  });

  it("an enum in a body without a name, whose values would be a closed list", () => {
    expect(() => openBodies(documentWith({ type: "string", enum: ["a", "b"] }))).toThrow("a, b");
  });

  const array = { type: "array", items: { type: "string" } };
  it.each([
    [
      "a header that no client sends",
      "the header parameter Key",
      { parameters: [{ name: "Key", in: "header", schema: {} }] },
    ],
    ["a cookie", "the cookie parameter a", { parameters: [{ name: "a", in: "cookie", schema: {} }] }],
    [
      "a required version of the API",
      "the required header parameter X-Service-API-Version",
      { parameters: [{ name: "X-Service-API-Version", in: "header", required: true, schema: {} }] },
    ],
    [
      "a pattern of a path parameter",
      "pattern of the path parameter id",
      { parameters: [{ name: "id", in: "path", schema: { type: "string", pattern: "^a$" } }] },
    ],
    [
      "a length of a query parameter",
      "maxLength of the query parameter code",
      { parameters: [{ name: "code", in: "query", schema: { type: "string", maxLength: 3 } }] },
    ],
    [
      "a list in a query as repeated parameters",
      "the list ids: write a list of strings with style: form and explode: false",
      { parameters: [{ name: "ids", in: "query", schema: array }] },
    ],
    ["a status of success that the client rejects", "the status 202", { responses: { 202: {} } }],
    ["an empty response to a GET", "the status 204", { responses: { 204: {} } }],
    ["a header of a response", "the header ETag", { responses: { 200: { headers: { ETag: {} } } } }],
    ["another authentication", "a requirement with another scheme", { security: [{ other: [] }] }],
    ["its own servers", "servers of an operation: write them at the top", { servers: [] }],
    ["a body in another format", "not JSON", { requestBody: { content: { "text/csv": {} } } }],
  ])("an operation with %s", (_, problem, parts) => {
    const document = documentWith({ type: "object" });
    Object.assign(document.paths["/it"]?.get ?? {}, { "x-method": "things.get" }, parts);
    expect(() => operationsModule("store", document)).toThrow(problem);
  });

  it("an operation without its client method, or with the method of another operation", () => {
    const method = "things.get";
    const document = documentWith({ type: "object" });
    expect(() => methodsInterface("store", document)).toThrow(
      "getIt has no method of the client: write x-method",
    );
    const operation = Object.assign({}, document.paths["/it"]?.get, { "x-method": method }) as Operation;
    const other = { ...operation, operationId: "getOther" };
    const both = { ...document, paths: { "/it": { get: operation }, "/other": { get: other } } };
    expect(() => methodsInterface("store", both)).toThrow("the x-method of getOther is that of getIt");
  });
});

describe("a refusal", () => {
  /** The message of the generator for a copy of the documents in which a text of the store document is replaced. */
  async function messageFor(before: string, after: string): Promise<string> {
    const specs = new URL("../../specs/", import.meta.url);
    const folder = mkdtempSync(join(tmpdir(), "refusal-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const file of ["store.openapi.yaml", "fleet.openapi.yaml", "gaps.yaml"])
      writeFileSync(join(folder, file), readFileSync(new URL(file, specs), "utf8").replace(before, after));
    return generatedFiles({ specs: pathToFileURL(`${folder}/`) }).then(
      () => "nothing was refused",
      (error: unknown) => (error as Error).message,
    );
  }

  it.each([
    [
      "of a query parameter",
      "        maximum: 100\n        default: 100",
      "        maximum: 100\n        multipleOf: 5\n        default: 100",
      /^specs\/store\.openapi\.yaml:(\d+) \(components › parameters › PageLimit\): multipleOf of the query parameter limit: /,
    ],
    [
      "of a schema",
      "contactId:\n          type: string\n          format: uuid",
      "contactId:\n          type: string\n          format: iban",
      /^specs\/store\.openapi\.yaml:(\d+) \(components › schemas › Contact › properties › contactId\): the format iban has no check: write one of uuid, /,
    ],
    [
      "with an unknown keyword",
      "x-method: stores.list\n",
      "x-methods: stores.list\n",
      /^specs\/store\.openapi\.yaml:(\d+) \(paths › \/v1\/stores › get\): the keyword x-methods: write one of x-contract, /,
    ],
    [
      "with an unknown scope",
      "- bearerKey: [damages:read]\n",
      "- bearerKey: [damage:read]\n",
      /^specs\/fleet\.openapi\.yaml:(\d+) \(paths › \/damages › get\): unknown scope damage:read: add it to the enum/,
    ],
  ])("%s names the file, the line, the place and what to write instead", async (_, before, after, form) => {
    expect(await messageFor(before, after)).toMatch(form);
  });
});
