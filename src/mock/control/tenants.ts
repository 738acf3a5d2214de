import type { ReferenceServer } from "../index.ts";
import { ControlError } from "./control-error.ts";

/** The server that is controlled, and the tenants that the control API created. */
export class Tenants {
  readonly #server: ReferenceServer;
  readonly #created: ReferenceServer[] = [];

  constructor(server: ReferenceServer) {
    this.#server = server;
  }

  /** The number of tenants. */
  get count(): number {
    return this.#created.length;
  }

  /** Creates a tenant and returns it with its number. */
  create(): { number: number; tenant: ReferenceServer } {
    const tenant = this.#server.tenant();
    this.#created.push(tenant);
    return { number: this.#created.length, tenant };
  }

  /** Returns the tenant with a number, which is text of a query; without one, the server itself. */
  find(number: string | undefined): ReferenceServer {
    if (number === undefined) return this.#server;
    const found = /^[1-9]\d{0,8}$/.test(number) ? this.#created[Number(number) - 1] : undefined;
    if (found !== undefined) return found;
    const expected = this.count === 0 ? "POST /tenants creates one" : `Expected 1 to ${this.count}`;
    throw new ControlError(404, `There is no tenant "${number.slice(0, 40)}". ${expected}`);
  }
}
