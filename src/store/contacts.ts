import type { ContactInput, ContactList, paths } from "../../generated/store.ts";
import type { Call } from "../core/call.ts";
import type { Http } from "../core/http.ts";
import type { CallOptions } from "../core/options.ts";
import { withItems } from "./envelope.ts";

/** The contacts of a store. Contract: store 4, Contacts. */
export class Contacts {
  readonly #http: Http<paths>;

  constructor(http: Http<paths>) {
    this.#http = http;
  }

  /**
   * Reads the contacts of a store.
   *
   * `GET /v1/stores/{externalId}/contacts`
   * @throws {StoreApiError} `not_found` where no store has this external ID
   */
  get(externalId: string, options?: CallOptions): Call<ContactList> {
    return this.#http.get(
      "/v1/stores/{externalId}/contacts",
      { path: { externalId }, finish: withItems },
      options,
    );
  }

  /**
   * Replaces all contacts of a store.
   *
   * `PUT /v1/stores/{externalId}/contacts`
   *
   * Whether contacts keep their `contactId` is a gap (`lists.ids-after-replace`): read the ids from the answer.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   */
  replace(externalId: string, contacts: readonly ContactInput[], options?: CallOptions): Call<ContactList> {
    const body = { contacts: contacts as ContactInput[] }; // only read
    return this.#http.put(
      "/v1/stores/{externalId}/contacts",
      { path: { externalId }, body, finish: withItems },
      options,
    );
  }
}
