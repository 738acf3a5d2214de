/** What the service really has, and every change of it: the judge of what clients and jobs say. */
import type { ReferenceServer } from "../../src/mock/index.ts";

/** A change of one entity. Undefined: it does not exist. */
interface Change {
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The step that sent the request; "other" for other writers. */
  readonly by: string;
  /** The virtual time. */
  readonly at: number;
}

/** A row of either API. */
export interface Row {
  readonly [property: string]: unknown;
}

/** The lists of a store, which are one entity each. */
const parts = ["contacts", "expectations", "expositions"] as const;
const timed = { protocols: "protocolId", photos: "photoId" } as const;

export class Truth {
  readonly changes: Change[] = [];
  readonly #ref: ReferenceServer;
  #entities: Map<string, string>;

  constructor(ref: ReferenceServer) {
    this.#ref = ref;
    this.#entities = this.#read();
  }

  /** The number of changes so far: a point in time. */
  get now(): number {
    return this.changes.length;
  }

  /** Records what has changed. Returns the number of changes. */
  note(by: string, at: number): number {
    const [before, after] = [this.#entities, this.#read()];
    const keys = new Set([...before.keys(), ...after.keys()]);
    const changes = [...keys]
      .filter((key) => before.get(key) !== after.get(key))
      .map((key) => ({ key, before: before.get(key), after: after.get(key), by, at }));
    this.changes.push(...changes);
    this.#entities = after;
    return changes.length;
  }

  /** The changes of a list since a point, created and deleted ones. */
  since(list: string, point: number): Change[] {
    return this.changes.slice(point).filter(({ key }) => key.startsWith(`${list} `));
  }

  /** The IDs of a list. */
  ids(list: string): string[] {
    const keys = [...this.#entities.keys()].filter((key) => key.startsWith(`${list} `));
    return keys.map((key) => key.slice(list.length + 1));
  }

  /** The JSON of an entity, parsed. */
  read(list: string, id: string): Row | undefined {
    const text = this.#entities.get(`${list} ${id}`);
    return text === undefined ? undefined : (JSON.parse(text) as Row);
  }

  /** The elements of a list of a store. */
  elements(part: string, externalId: string): readonly Row[] {
    return (this.read(part, externalId) ?? []) as readonly Row[]; // a part is an array
  }

  /** The ID of the store with an external ID. */
  storeId(externalId: string): string | undefined {
    return this.ids("stores").find((id) => this.read("stores", id)?.["externalId"] === externalId);
  }

  /** The IDs that existed from a point until now. */
  whole(list: string, point: number): string[] {
    const changes = this.since(list, point).filter(({ before }) => before === undefined);
    const made = new Set(changes.map(({ key }) => key));
    return this.ids(list).filter((id) => !made.has(`${list} ${id}`));
  }

  /** The forms that an entity had from a point until now, as JSON. */
  forms(list: string, id: string, point: number): Set<string> {
    const key = `${list} ${id}`;
    const changes = this.since(list, point).filter((change) => change.key === key);
    const all = [this.#entities.get(key), ...changes.flatMap(({ before, after }) => [before, after])];
    return new Set(all.filter((form) => form !== undefined));
  }

  /** Whether somebody else than a step has changed an entity, or a list, since a point. */
  isDisturbed(key: string, point: number, by: string): boolean {
    const others = this.changes.slice(point).filter((change) => change.by !== by);
    return others.some((change) => change.key === key || change.key.startsWith(`${key} `));
  }

  #read(): Map<string, string> {
    const { store, fleet } = this.#ref.state;
    const entities = new Map<string, string>();
    for (const [externalId, row] of store.stores) {
      entities.set(`stores ${row.storeId}`, JSON.stringify(row));
      for (const part of parts)
        entities.set(`${part} ${externalId}`, JSON.stringify(store[part].get(externalId) ?? []));
      for (const [list, id] of Object.entries(timed))
        for (const item of store[list as keyof typeof timed].get(externalId) ?? [])
          entities.set(
            `${list}/${externalId} ${String((item as Record<string, unknown>)[id])}`,
            JSON.stringify(item),
          );
    }
    for (const row of store.storesWithoutId.values())
      entities.set(`stores ${row.storeId}`, JSON.stringify(row));
    for (const [list, rows] of Object.entries(fleet))
      for (const [id, row] of rows) entities.set(`${list} ${id}`, JSON.stringify(row));
    return entities;
  }
}
