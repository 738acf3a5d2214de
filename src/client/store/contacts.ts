import { storeInputs } from "../../../generated/store.inputs.ts";
import { storeOperations } from "../../../generated/store.operations.ts";
import type { Contact, ContactInput, ContactList, operations } from "../../../generated/store.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { Api, Call } from "../core/request/api.ts";
import { modifyList } from "./modify.ts";

const changeRules = {
  operation: storeOperations.putContacts,
  properties: storeInputs.ContactInput,
};

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
    const body = { contacts: contacts as ContactInput[] }; // the call does not change the array
    return this.#api.call("putContacts", { path: { externalId }, body }, options);
  }

  /**
   * Reads the contacts of a store, applies a change and replaces them. Sends nothing if nothing changed.
   *
   * `GET /v1/stores/{externalId}/contacts`, `PUT /v1/stores/{externalId}/contacts`
   *
   * The change is not atomic: the contract has no versions and no ETags, so a change by another program between the two
   * requests is overwritten.
   * @param change returns all contacts that the store should have
   * @throws {StoreApiError} `not_found`, `validation_failed`
   * @example await store.contacts.modify("S-1", (all) => [...all, { name: "Anna", phone: "+48 600 100 200" }]);
   */
  modify(
    externalId: string,
    change: (
      contacts: Contact[],
    ) => readonly (Contact | ContactInput)[] | Promise<readonly (Contact | ContactInput)[]>,
    options?: CallOptions,
  ): Promise<ContactList> {
    return modifyList(
      changeRules,
      change,
      () => this.get(externalId, options),
      (inputs: ContactInput[]) => this.replace(externalId, inputs, options),
    );
  }
}
