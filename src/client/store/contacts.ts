import { copyOptions } from "../core/pagination/list-call.ts";
import type { Contact, ContactInput, ContactList, operations } from "../../../generated/store.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { Api, Call } from "../core/request/api.ts";
import type { ModifyOptions } from "./modify.ts";

/** The contacts of a store. Contract: store 4, Contacts. */
export class Contacts {
  readonly #api: Api<operations>;

  constructor(api: Api<operations>) {
    this.#api = api;
  }

  /**
   * Returns the contacts of a store.
   *
   * `GET /v1/stores/{externalId}/contacts`
   * @throws {StoreApiError} `not_found` if no store has this external ID
   */
  get(externalId: string, options?: CallOptions): Call<ContactList> {
    return this.#api.call("getContacts", { path: { externalId } }, options);
  }

  /**
   * Replaces all contacts of a store.
   *
   * `PUT /v1/stores/{externalId}/contacts`
   *
   * Whether contacts keep their `contactId` is a gap (`lists.ids-after-replace`): read the IDs from the response.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   * @example await store.contacts.replace("S-1", [{ name: "Anna", phone: "+48 600 100 200" }]);
   */
  replace(externalId: string, contacts: readonly ContactInput[], options?: CallOptions): Call<ContactList> {
    const body = { contacts };
    return this.#api.call("putContacts", { path: { externalId }, body }, options);
  }

  /**
   * Reads the contacts of a store, applies a change, replaces all of them and compares what the service kept. Sends
   * nothing if nothing changed. Calls for one store run one after the other.
   *
   * `GET /v1/stores/{externalId}/contacts`, `PUT /v1/stores/{externalId}/contacts`
   *
   * The change is not atomic: the contract has no versions and no ETags, so a change by another program between the
   * last read and the write is overwritten.
   * @param change returns all contacts that the store should have
   * @throws {StoreApiError} `not_found`, `validation_failed`
   * @throws {WriteError} if the list was not read as a whole, was changed meanwhile, or was not kept as sent
   * @example await store.contacts.modify("S-1", (all) => [...all, { name: "Anna", phone: "+48 600 100 200" }]);
   */
  async modify(
    externalId: string,
    change: (
      contacts: Contact[],
    ) => readonly (Contact | ContactInput)[] | Promise<readonly (Contact | ContactInput)[]>,
    options?: ModifyOptions,
  ): Promise<ContactList> {
    const copied = options && copyOptions(options);
    const { modifyContacts } = await import("./modify-list.ts");
    return modifyContacts(this, externalId, change, copied);
  }
}
