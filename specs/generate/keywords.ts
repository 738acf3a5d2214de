import { refuse } from "./refusal.ts";

/** The keywords of the documents that OpenAPI does not have, and what each says that OpenAPI cannot. */
export const ownKeywords: Readonly<Record<string, string>> = {
  "x-contract": "The section of the contract that a part follows.",
  "x-gaps":
    "The questions about a part that the contract leaves open or answers in two ways, by their IDs in `gaps.yaml`.",
  "x-name-gap":
    "Of a parameter: the gap that leaves its name open; the document has the name of the default reading.",
  "x-error-code": "Of a response: the code in the body of the error.",
  "x-item-id": "Of a list: the properties that may hold the ID of an element, the first one counts.",
  "x-method": "Of an operation: the method of the clients.",
  "x-codeSamples": "Of an operation: the call of the clients, which reference pages show.",
};

/** The values in a document that are no part of it. */
const VALUES = new Set(["example", "examples", "value", "default", "enum", "const"]);

/** Throws if a document, or a part of it, has a keyword with `x-` that is not in the table. */
export function refuseUnknownKeywords(part: unknown): void {
  if (typeof part !== "object" || part === null) return;
  for (const [name, value] of Object.entries(part)) {
    if (name.startsWith("x-") && !Object.hasOwn(ownKeywords, name))
      refuse(
        part,
        `the keyword ${name}`,
        `write one of ${Object.keys(ownKeywords).join(", ")}, or add it to the table`,
      );
    if (!VALUES.has(name) && !name.startsWith("x-")) refuseUnknownKeywords(value);
  }
}
