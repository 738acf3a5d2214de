import type { ContactInput, ContactList, operations } from "../../generated/store.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { Api, Call } from "../core/request/api.ts";

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
   * Whether contacts keep their `contactId` is a gap (`lists.ids-after-replace`): read the ids from the response.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   */
  replace(externalId: string, contacts: readonly ContactInput[], options?: CallOptions): Call<ContactList> {
    const body = { contacts: contacts as ContactInput[] }; // only read
    return this.#api.call("putContacts", { path: { externalId }, body }, options);
  }
}
