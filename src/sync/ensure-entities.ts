import { type CallOptions, isNotFound, PaginationError, statusOf, type SyncList } from "./clients.ts";
import { isObject, type JsonObject, objectOf } from "../wire/json.ts";
import { addPage, firstPass, isSameAsBefore, maxPasses, nextPass, type Pass } from "./passes.ts";
import { idOf, looseName, type NameOf, unusable } from "./ensure-rows.ts";
import { containsJson, isSameJson } from "./json.ts";

/** A resource of a `FleetClient`, such as `fleet.vehicles`: the part that `ensure` uses. */
export interface EnsurableResource<Input> {
  /** Lists the entities. */
  list(query?: { limit?: number | undefined }, options?: CallOptions): SyncList<unknown>;
  /** Reads an entity. */
  get(id: string, options?: CallOptions): PromiseLike<unknown>;
  /** Creates an entity. */
  create?(input: Input, options?: CallOptions): PromiseLike<unknown>;
  /** Creates an inspection. */
  submit?(input: Input, options?: CallOptions): PromiseLike<unknown>;
  /** Replaces an entity, or changes the given properties of an inspection or a driver assignment. */
  update(id: string, input: Input, options?: CallOptions): PromiseLike<unknown>;
}

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

/** Reads the entities of a resource: those of its list with given keys, and single ones. */
export class EntityReader {
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
    for (let pass = firstPass; pass.turn <= maxPasses; pass = nextPass(pass)) {
      pass = await this.#read(found, pass);
      if (isSameAsBefore(pass) || names.every((name) => found.exact(name).length > 0)) return found;
    }
    throw new PaginationError(
      "ensure",
      `${maxPasses} passes over the list had different entities: nothing was written`,
    );
  }

  /** Reads the list once. */
  async look(names: readonly string[]): Promise<Entities> {
    const found = new Entities(names);
    await this.#read(found, firstPass);
    return found;
  }

  async #read(found: Entities, begun: Pass): Promise<Pass> {
    let pass = begun;
    const query = pass.limit === null ? undefined : { limit: pass.limit };
    for await (const { sent, items } of this.#resource.list(query, this.#call).pages()) {
      pass = addPage(pass, sent.map(idOf));
      for (const [index, entity] of sent.entries()) {
        const name = this.#nameOf(objectOf(entity));
        if (name !== undefined) found.add({ name, sent: objectOf(entity), item: items[index] });
      }
    }
    return pass;
  }

  /** Returns an entity with all of its properties, as the service sends them where the list shows that. */
  async readWhole({ name, sent, item }: Entity, id: string): Promise<JsonObject> {
    const detail = await this.read(id);
    if (detail === undefined) return sent;
    // a shape may have converted a value: what it has made of the list's value is that value
    const listed = objectOf(item);
    const isListed = (property: string): boolean =>
      property in sent && isSameJson(detail[property], listed[property]);
    const values = Object.keys(detail).map((property) => [
      property,
      isListed(property) ? sent[property] : detail[property],
    ]);
    const whole = { ...sent, ...(Object.fromEntries(values) as JsonObject) };
    if (this.#nameOf(whole) !== name) throw unusable("key", "is not that of the list any more");
    return whole;
  }

  /** Returns what a response shows of an entity or, because the contract does not describe the response, what it has. */
  async readShown(response: unknown, id: string | undefined, wanted: object): Promise<unknown> {
    const isAbout = isObject(response) && (idOf(response) ?? id) === id;
    if (isAbout && containsJson(response, wanted, true)) return response;
    const detail = id === undefined ? undefined : await this.read(id);
    return detail ?? (isAbout ? response : undefined);
  }

  /** Reads an entity; undefined if the service cannot read one, such as a template (gap templates.get-one). */
  async read(id: string): Promise<JsonObject | undefined> {
    let detail: unknown;
    try {
      detail = await this.#resource.get(id, this.#call);
    } catch (error) {
      this.#call.signal?.throwIfAborted();
      const status = statusOf(error) ?? 0;
      // the operation does not exist, or the secret may not call it
      if ([403, 404, 405, 501].includes(status) && !isNotFound(error)) return undefined;
      throw error;
    }
    if (detail === undefined) return undefined;
    if (!isObject(detail) || idOf(detail) !== id) throw unusable("id", "is not the requested one");
    return detail;
  }
}
