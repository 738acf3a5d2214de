import type { Tenant } from "./tenant.ts";

/** A copy of a server's state, clock and ID sequence, for `restore`. */
export class Snapshot {
  readonly #tenant: object;
  readonly #copies = new Map<string, unknown>();
  readonly #offset: number;
  readonly #ids: number;

  /** @internal */
  constructor(tenant: Tenant<unknown>) {
    this.#tenant = tenant;
    for (const [name, collection] of tenant.collections) this.#copies.set(name, collection.copy());
    this.#offset = tenant.clock.offset;
    this.#ids = tenant.ids.count;
  }

  /** @internal Restores the copy; a snapshot can be restored any number of times. */
  restore(tenant: Tenant<unknown>): void {
    if (tenant !== this.#tenant)
      throw new Error("restore: the snapshot belongs to another reference server or tenant");
    for (const [name, collection] of tenant.collections) collection.restore(this.#copies.get(name));
    tenant.clock.offset = this.#offset;
    tenant.ids.count = this.#ids;
  }
}
