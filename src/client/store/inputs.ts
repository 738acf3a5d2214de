import { storeInputs } from "../../../generated/store.inputs.ts";
import type {
  Contact,
  ContactInput,
  Expectation,
  ExpectationInput,
  Exposition,
  ExpositionInput,
  Store,
  StoreUpsert,
} from "../../../generated/store.ts";

/** The properties of an input, and those that only its entity has. */
export interface InputProperties {
  readonly sent: readonly string[];
  readonly received: readonly string[];
}

export const storeProperties: InputProperties = storeInputs.StoreUpsert;

/**
 * Returns the upsert of a store: every property except `storeId` and `externalId`, which is in the path. A body with
 * all of them has the same meaning under every reading of gap `stores.omitted-fields`.
 */
export function toUpsert(store: Store): StoreUpsert {
  return pick(store, storeProperties);
}

/** Returns the input of a contact for `contacts.replace`: every property except `contactId` and `createdAt`. */
export function toContactInput(contact: Contact): ContactInput {
  return pick(contact, storeInputs.ContactInput) as ContactInput; // a contact has the required properties
}

/**
 * Returns the input of an expectation for `expectations.replace`: every property except `expectationId` and
 * `updatedAt`.
 */
export function toExpectationInput(expectation: Expectation): ExpectationInput {
  // gap answers.nullable-members: a null category may be absent from a response, and an input must have it
  return {
    ...(pick(expectation, storeInputs.ExpectationInput) as ExpectationInput),
    productCategory: expectation.productCategory ?? null,
  };
}

/** Returns the input of an exposition for `expositions.upsert`, with its `expositionId`. */
export function toExpositionInput(exposition: Exposition): ExpositionInput {
  return pick(exposition, storeInputs.ExpositionInput) as ExpositionInput; // an exposition has the required properties
}

/** Returns the present properties that may be sent. */
export function pick(source: object, { sent }: InputProperties): object {
  const entries = Object.entries(source).filter(
    ([name, value]) => sent.includes(name) && value !== undefined,
  );
  return Object.fromEntries(entries);
}
