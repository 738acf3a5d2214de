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
import type { JsonObject } from "../../wire/json.ts";

/** The properties of an input and of its entity. */
export interface InputProperties {
  /** The properties that may be sent. */
  readonly sent: readonly string[];
  /** The other properties of the entity. */
  readonly received: readonly string[];
  /** The properties that the entity always has, and that are never null. */
  readonly required: readonly string[];
  /** The properties that the entity always has, and that may be null. */
  readonly nullable: readonly string[];
  /** The values of omitted properties. */
  readonly defaults: JsonObject;
}

/**
 * Returns the upsert of a store: every property except `storeId` and `externalId`, which is in the path. A body with
 * all of them has the same meaning under every reading of gap `stores.omitted-fields`.
 */
export function toUpsert(store: Store): StoreUpsert {
  return withoutReceived(store, storeInputs.StoreUpsert);
}

/** Returns the input of a contact for `contacts.replace`: every property except `contactId` and `createdAt`. */
export function toContactInput(contact: Contact): ContactInput {
  return toInput(contact, storeInputs.ContactInput) as object as ContactInput; // a contact has the required properties
}

/**
 * Returns the input of an expectation for `expectations.replace`: every property except `expectationId` and
 * `updatedAt`.
 */
export function toExpectationInput(expectation: Expectation): ExpectationInput {
  return toInput(expectation, storeInputs.ExpectationInput) as object as ExpectationInput; // has the required properties
}

/** Returns the input of an exposition for `expositions.upsert`, with its `expositionId`. */
export function toExpositionInput(exposition: Exposition): ExpositionInput {
  return toInput(exposition, storeInputs.ExpositionInput) as object as ExpositionInput; // has the required properties
}

/**
 * Returns the input of an element that was read. A null property may be absent from a response (gap
 * responses.nullable-properties), and an absent one may keep its value (gap expositions.omitted-title): it is sent as null.
 */
export function toInput(element: object, properties: InputProperties): JsonObject {
  const nulls = Object.entries(properties.defaults).filter(([, value]) => value === null);
  return { ...Object.fromEntries(nulls), ...withoutReceived(element, properties) };
}

/** Returns the present properties, also unknown ones, without those that are only received. */
function withoutReceived(source: object, { received }: InputProperties): JsonObject {
  const entries = Object.entries(source).filter(
    ([name, value]) => !received.includes(name) && value !== undefined,
  );
  return Object.fromEntries(entries);
}
