import { describe, expect, it } from "vitest";
import { describeDifferences } from "../../specs/contract-diff/report.ts";
import { type Document, readDocument } from "../../specs/generate/document.ts";

const specs = new URL("../../specs/", import.meta.url);
const store = readDocument(new URL("store.openapi.yaml", specs));
const fleet = readDocument(new URL("fleet.openapi.yaml", specs));
const guides = new Map([
  ["docs/a.md", "`store.stores.list()` returns a list."],
  ["docs/b.md", "Nothing about it: stores.listing."],
]);

/** Returns a copy of a document in which `edit` has changed the value at a path. */
function changed(document: Document, path: string[], edit: (value: never) => unknown): Document {
  const copy = structuredClone(document);
  const parent = path
    .slice(0, -1)
    .reduce((value: unknown, key) => (value as Record<string, unknown>)[key], copy);
  const [object, key] = [parent as Record<string, unknown>, path.at(-1) ?? ""];
  const value = edit(object[key] as never); // each row of a test knows the type of its value
  if (value === undefined) delete object[key];
  else object[key] = value;
  return copy;
}

const schemas = (...path: string[]): string[] => ["components", "schemas", ...path];
const responses = ["paths", "/v1/stores/{externalId}", "get", "responses"];
const limit = ["components", "parameters", "PageLimit", "schema"];
const without = (name: string) => (values: string[]) => values.filter((value) => value !== name);
const withValue = (name: string) => (values: string[]) => [...values, name];

describe("describeDifferences", () => {
  it("reports no difference between equal documents", () => {
    expect(describeDifferences(store, structuredClone(store), guides)).toBe("No operation differs.");
  });

  it("ignores the order of sets", () => {
    const after = changed(
      changed(store, schemas("StoreType", "enum"), (values: string[]) => values.toReversed()),
      schemas("Store", "required"),
      (values: string[]) => values.toReversed(),
    );
    expect(describeDifferences(store, after, guides)).toBe("No operation differs.");
  });

  it.each([
    ["a raised maximum", [...limit, "maximum"], () => 200, "  ~ query limit maximum 100 → 200", false],
    [
      "a lowered maximum",
      [...limit, "maximum"],
      () => 50,
      "  ~ query limit maximum 100 → 50 (breaks callers)",
      true,
    ],
    ["a removed maximum", [...limit, "maximum"], () => undefined, "  - query limit maximum 100", false],
    [
      "a raised minimum",
      [...limit, "minimum"],
      () => 2,
      "  ~ query limit minimum 1 → 2 (breaks callers)",
      true,
    ],
    [
      "another default",
      [...limit, "default"],
      () => 20,
      "  ~ query limit default 100 → 20 (check callers)",
      false,
    ],
    [
      "a new value",
      schemas("ContactType", "enum"),
      withValue("owner"),
      '  + response 200.items[].contactType value "owner" (check callers)',
      false,
    ],
    [
      "a removed value",
      schemas("ContactType", "enum"),
      without("store"),
      '  - body.contacts[].contactType value "store" (breaks callers)',
      true,
    ],
    [
      "values where all were allowed",
      schemas("ContactInput", "properties", "phone", "enum"),
      () => ["1"],
      "  + body.contacts[].phone only listed values (breaks callers)",
      true,
    ],
    [
      "a removed property of a response",
      schemas("Contact", "properties", "phone"),
      () => undefined,
      "  - response 200.items[].phone (breaks callers)",
      true,
    ],
    [
      "a removed property of a body",
      schemas("ContactInput", "properties", "phone"),
      () => undefined,
      "  - body.contacts[].phone (breaks callers)",
      true,
    ],
    [
      "a new property of a body",
      schemas("ContactInput", "properties", "note"),
      () => ({ type: "string", maxLength: 5 }),
      "  + body.contacts[].note maxLength 5",
      false,
    ],
    [
      "a property of a body that becomes required",
      schemas("ContactInput", "required"),
      withValue("email"),
      "  + body.contacts[].email required (breaks callers)",
      true,
    ],
    [
      "a property of a body that becomes optional",
      schemas("ContactInput", "required"),
      without("phone"),
      "  - body.contacts[].phone required",
      false,
    ],
    [
      "a property of a response that becomes optional",
      schemas("Contact", "required"),
      without("phone"),
      "  - response 200.items[].phone required (breaks callers)",
      true,
    ],
    [
      "a property of a response that becomes nullable",
      schemas("Contact", "properties", "name", "type"),
      () => ["string", "null"],
      '  + response 200.items[].name type "null" (breaks callers)',
      true,
    ],
    [
      "a new error",
      [...responses, "409"],
      () => ({ description: "Conflict" }),
      "  + response 409 (check callers)",
      false,
    ],
    [
      "a deprecated property",
      schemas("Contact", "properties", "phone", "deprecated"),
      () => true,
      "  + response 200.items[].phone deprecated (check callers)",
      false,
    ],
    [
      "a deprecated operation",
      ["paths", "/v1/stores", "get", "deprecated"],
      () => true,
      "  + deprecated (check callers)",
      false,
    ],
    ["a removed error", [...responses, "404"], () => undefined, "  - response 404", false],
    [
      "another success",
      [...responses, "202"],
      () => ({ description: "Accepted" }),
      "  + response 202 (breaks callers)",
      true,
    ],
    [
      "another error code",
      ["components", "responses", "NotFound", "x-error-code"],
      () => "gone",
      '  ~ response 404 error code "not_found" → "gone" (breaks callers)',
      true,
    ],
  ] as const)("reports %s", (_, path, edit, line, isBreaking) => {
    const after = changed(store, [...path], edit);
    const report = describeDifferences(store, after, guides).split("\n");
    expect(report).toContain(line);
    expect(report.at(-1)).toMatch(isBreaking ? /^Callers break: / : /^No caller breaks\.$/);
  });

  it("reports new and removed operations", () => {
    const earlier = changed(fleet, ["paths", "/vehicles/{id}", "delete"], () => undefined);
    expect(describeDifferences(earlier, fleet, guides)).toMatch(/^deleteVehicle \(new\)\n/);
    expect(describeDifferences(earlier, fleet, guides)).toContain(
      "1 new, 0 removed, 0 changed.\nNo caller breaks.",
    );
    expect(describeDifferences(fleet, earlier, guides)).toMatch(
      /^deleteVehicle \(removed, breaks callers\)\n/,
    );
  });

  it("reports a scope and a gap that an operation gets", () => {
    const create = ["paths", "/vehicles", "post"];
    const scoped = changed(fleet, [...create, "x-scopes", "table"], withValue("damages:write"));
    const after = changed(scoped, [...create, "x-gaps"], withValue("writes.concurrent"));
    const report = describeDifferences(fleet, after, guides);
    expect(report).toContain('\n  + needed scope "damages:write" (breaks callers)\n');
    expect(report).toContain('\n  + gap "writes.concurrent"');
  });

  it("reports that one of two sufficient scopes is gone", () => {
    const scopes = ["paths", "/vehicle-fields", "get", "x-scopes", "prose"];
    const report = describeDifferences(fleet, changed(fleet, scopes, without("vehicles:read")), guides);
    expect(report).toContain('\n  - sufficient scope "vehicles:read" (breaks callers)\n');
  });

  it("reports what concerns no single operation", () => {
    const versioned = changed(fleet, ["info", "version"], () => "1.1.0");
    const gone = changed(versioned, ["x-gaps"], without("webhooks.events"));
    const after = changed(gone, ["servers"], (servers: { url: string }[]) =>
      servers.map(({ url }) => ({ url: url.replace("v1", "v2") })),
    );
    const report = describeDifferences(fleet, after, guides);
    expect(report).toContain("the whole API (changed, breaks callers)\n");
    for (const line of [
      '  - server "{productionOrigin}/api/third-party/v1" (breaks callers)',
      '  ~ version "1.0.0" → "1.1.0"',
      '  - gap "webhooks.events" (check callers)',
      "Operations: 0 new, 0 removed, 0 changed.",
    ])
      expect(report.split("\n")).toContain(line);
  });

  it("reports a required body and the description of a header", () => {
    const remove = ["paths", "/damages/{id}", "delete"];
    const body = { required: true, content: { "application/json": { schema: { type: "object" } } } };
    const sent = changed(fleet, [...remove, "requestBody"], () => body);
    const headers = (description: string) => () => ({ "Retry-After": { description } });
    const notFound = ["components", "responses", "NotFound", "headers"];
    const seconds = changed(sent, notFound, headers("Seconds."));
    const minutes = changed(sent, notFound, headers("Minutes."));
    expect(describeDifferences(fleet, sent, guides)).toContain("\n  + body required (breaks callers)\n");
    expect(describeDifferences(seconds, minutes, guides)).toContain(
      '~ response 404 header Retry-After description "Seconds." → "Minutes." (check callers)',
    );
  });

  it("names the methods, gaps and guides of an operation", () => {
    const report = describeDifferences(
      store,
      changed(store, [...limit, "maximum"], () => 200),
      guides,
    );
    expect(report).toMatch(
      /\n {2}method: stores\.list\n {2}gaps whose sections to read again: stores\.cursor-start, /,
    );
    expect(report).toContain("\n  guides: docs/a.md\n");
    expect(report).toMatch(/listProtocols \(changed\)[\s\S]*\n {2}guides: none\n/);
  });
});
