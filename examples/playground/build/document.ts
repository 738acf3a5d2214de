/** A part of an OpenAPI document; what it holds is looked at by name. */
export interface Part {
  [name: string]: unknown;
}

/** An OpenAPI document whose references are followed as it is read. */
export class OpenApiDocument {
  readonly #root: Part;

  constructor(root: unknown) {
    this.#root = asPart(root);
  }

  /** The part with a name, with its `$ref` merged under its own properties; empty if there is none. */
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
    if (Object.keys(found).length === 0) throw new Error(`${$ref} leads nowhere`);
    return { ...this.followed(found), ...own };
  }
}

export function asPart(value: unknown): Part {
  return typeof value === "object" && value !== null ? (value as Part) : {};
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Folded text of a document as one line; nothing where there is none. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim() : "";
}

/** A description without what it says about the contract's sections and gaps at its end. */
export function plainText(value: unknown): string {
  return asText(value).replace(/ ?(Contract|Gaps?): .*$/, "");
}
