import type { MapCopy, SeededMap } from "../seed/seeded-map.ts";
import type { Tenant } from "./tenant.ts";

type Copies = Map<string, MapCopy<unknown>>;

/** A copy of a server's state, clock and id sequence, for `restore`. */
export class Snapshot {
  readonly #tenant: Tenant;
  readonly #copies: Copies = new Map();
  readonly #offset: number;
  readonly #ids: number;

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
    for (const [name, map] of collections(tenant)) this.#copies.set(name, map.copy());
    this.#offset = tenant.clock.offset;
    this.#ids = tenant.ids.count;
  }

  /** @internal Puts it back; a snapshot can be put back any number of times. */
  restore(tenant: Tenant): void {
    if (tenant !== this.#tenant)
      throw new Error("restore: the snapshot is one of another reference server or tenant");
    for (const [name, map] of collections(tenant)) {
      const copy = this.#copies.get(name);
      if (copy !== undefined) map.paste(copy);
    }
    tenant.clock.offset = this.#offset;
    tenant.ids.count = this.#ids;
  }
}

function collections(tenant: Tenant): [string, SeededMap<unknown>][] {
  const parts = { store: tenant.store, fleet: tenant.fleet, sandbox: tenant.sandbox };
  return Object.entries(parts).flatMap(([part, data]) =>
    Object.entries(data).map(([name, map]): [string, SeededMap<unknown>] => [
      `${part}.${name}`,
      map as SeededMap<unknown>,
    ]),
  );
}
