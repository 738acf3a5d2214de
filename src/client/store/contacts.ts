import type { components, ContactInput, ContactList, paths } from "../../../generated/store.ts";
import { bodyOf, toInit } from "../call.ts";
import type { Call } from "../response.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";

/** The contacts of a store. Contract: store 4, Contacts. */
export class Contacts {
  readonly #http: Http<paths>;

  constructor(http: Http<paths>) {
    this.#http = http;
  }

  /**
   * Returns the contacts of a store.
   *
   * `GET /v1/stores/{externalId}/contacts`
   * @throws {StoreApiError} `not_found` if no store has this external ID
   */
  readonly get = (externalId: string, options?: CallOptions): Call<ContactList> =>
    bodyOf(this.#http.GET("/v1/stores/{externalId}/contacts", toInit({ externalId }, options)));

  /**
   * Replaces all contacts of a store.
   *
   * `PUT /v1/stores/{externalId}/contacts`
   *
   * Whether contacts keep their `contactId` is a gap (`lists.ids-after-replace`): read the IDs from the response.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   * @throws {WriteError} `differs` if the response shows other elements than those that were sent
   * @example await store.contacts.replace("S-1", [{ name: "Anna", phone: "+48 600 100 200" }]);
   */
  readonly replace = (
    externalId: string,
    contacts: readonly ContactInput[],
    options?: CallOptions,
  ): Call<ContactList> =>
    bodyOf(
      this.#http.PUT("/v1/stores/{externalId}/contacts", {
        ...toInit({ externalId }, options, { written: { input: "contactInput", isReplaced: true } }),
        body: { contacts: contacts as components["schemas"]["ContactInput"][] }, // JSON has no undefined
      }),
    );
}
