import { describe, expect, it } from "vitest";
import { type Document, type Operation, resolve, type Schema } from "../../specs/generate/document.ts";
import { methodsInterface } from "../../specs/generate/methods.ts";
import { operationsModule } from "../../specs/generate/operations.ts";
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
