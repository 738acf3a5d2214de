import { describe, expect, it } from "vitest";
import { type Document, type Operation, resolve, type Schema } from "../../specs/generate/document.ts";
import { methodsInterface } from "../../specs/generate/methods.ts";
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

  it("a type that it does not know", () => {
    expect(() => expression({ type: "file" })).toThrow("file");
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

  it("an operation without its client method, or with the method of another operation", () => {
    const method = "things.get";
    const document = documentWith({ type: "object" });
    expect(() => methodsInterface("store", document)).toThrow("getIt needs x-method");
    const operation = Object.assign({}, document.paths["/it"]?.get, { "x-method": method }) as Operation;
    const other = { ...operation, operationId: "getOther" };
    const both = { ...document, paths: { "/it": { get: operation }, "/other": { get: other } } };
    expect(() => methodsInterface("store", both)).toThrow("getIt and getOther have the same x-method");
  });
});
