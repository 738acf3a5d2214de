/** An object in an OpenAPI document. */
export interface Part {
  [name: string]: unknown;
}

/** An OpenAPI document. Resolves its references when a part is read. */
export class OpenApiDocument {
  readonly #root: Part;

  constructor(root: unknown) {
    this.#root = asPart(root);
  }

  /** Returns a part by its name, with the properties of its `$ref` added; empty if there is no such part. */
  part(parent: Part, name: string): Part {
    return this.followed(asPart(parent[name]));
  }

  /** The parts of a list under a name. */
  parts(parent: Part, name: string): Part[] {
    return asList(parent[name]).map((element) => this.followed(asPart(element)));
  }

  get paths(): [path: string, item: Part][] {
    return Object.entries(asPart(this.#root.paths)).map(([path, item]) => [path, asPart(item)]);
  }

  followed(part: Part): Part {
    const { $ref, ...own } = part;
    if (typeof $ref !== "string") return part;
    const names = $ref.replace(/^#\//, "").split("/");
    const found = names.reduce((at, name) => asPart(at[name]), this.#root);
    if (Object.keys(found).length === 0) throw new Error(`${$ref} is not in the document`);
    return { ...this.followed(found), ...own };
  }
}

export function asPart(value: unknown): Part {
  return typeof value === "object" && value !== null ? (value as Part) : {};
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Returns a string of a document in one line; an empty string for other values. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim() : "";
}

/** Returns a description without the list of contract sections and gaps at its end. */
export function plainText(value: unknown): string {
  return asText(value).replace(/ ?(Contract|Gaps?): .*$/, "");
}
