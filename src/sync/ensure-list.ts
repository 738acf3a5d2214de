import { type CallOptions, PaginationError } from "./clients.ts";
import { type JsonObject, objectOf } from "../wire/json.ts";
import { addToDigest, type Digest, emptyDigest, isSameDigest } from "./digest.ts";
import type { EnsurableResource } from "./ensure-options.ts";
import { idOf, looseName, type NameOf } from "./ensure-rows.ts";
import { otherPageSize } from "./page-size.ts";

/** An entity of the list: its key, as the service sent it, and as the client returned it. */
export interface Entity {
  name: string;
  sent: JsonObject;
  item: unknown;
}

/** The entities with wanted keys, or with similar ones. */
export class Entities {
  readonly #byLooseName: Map<string, Map<string, Entity>>;

  constructor(names: readonly string[]) {
    this.#byLooseName = new Map(names.map((name) => [looseName(name), new Map<string, Entity>()]));
  }

  /** Adds an entity, once if several passes show it. */
  add(entity: Entity): void {
    const { name, sent } = entity;
    this.#byLooseName.get(looseName(name))?.set(idOf(sent) ?? JSON.stringify(sent), entity);
  }

  /** Returns the entities with exactly this key. */
  exact(name: string): Entity[] {
    return this.similar(name).filter((entity) => entity.name === name);
  }

  /** Returns the entities with a similar key. */
  similar(name: string): Entity[] {
    return [...(this.#byLooseName.get(looseName(name))?.values() ?? [])];
  }
}

/** The number of passes after which a run gives up. */
const maxPasses = 5;

/** Reads the entities with given keys from the list of a resource. */
export class EntityList {
  readonly #resource: EnsurableResource<never>;
  readonly #nameOf: NameOf;
  readonly #call: CallOptions;

  constructor(resource: EnsurableResource<never>, nameOf: NameOf, call: CallOptions) {
    this.#resource = resource;
    this.#nameOf = nameOf;
    this.#call = call;
  }

  /** Reads the list until it shows every key, or until two passes with different page sizes had the same entities. */
  async find(names: readonly string[]): Promise<Entities> {
    const found = new Entities(names);
    let before: Digest | undefined;
    let longest = 0;
    for (let turn = 1; turn <= maxPasses; turn += 1) {
      const pass = await this.#read(found, turn % 2 === 1 ? undefined : otherPageSize(longest));
      if (names.every((name) => found.exact(name).length > 0)) return found;
      if (before !== undefined && isSameDigest(before, pass.digest)) return found;
      before = pass.digest;
      longest = Math.max(longest, pass.longest);
    }
    throw new PaginationError(
      "ensure",
      `${maxPasses} passes over the list had different entities: nothing was written`,
    );
  }

  /** Reads the list once. */
  async look(names: readonly string[]): Promise<Entities> {
    const found = new Entities(names);
    await this.#read(found, undefined);
    return found;
  }

  async #read(found: Entities, limit: number | undefined): Promise<{ digest: Digest; longest: number }> {
    let digest = emptyDigest;
    let longest = 0;
    const query = limit === undefined ? undefined : { limit };
    for await (const { sent, items } of this.#resource.list(query, this.#call).pages()) {
      digest = addToDigest(digest, sent.map(idOf));
      longest = Math.max(longest, sent.length);
      for (const [index, entity] of sent.entries()) {
        const name = this.#nameOf(objectOf(entity));
        if (name !== undefined) found.add({ name, sent: objectOf(entity), item: items[index] });
      }
    }
    return { digest, longest };
  }
}
