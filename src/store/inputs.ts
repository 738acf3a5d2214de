import type {
  Contact,
  ContactInput,
  Expectation,
  ExpectationInput,
  Exposition,
  ExpositionInput,
  Store,
  StoreUpsert,
} from "../../generated/store.ts";

/** The properties of an input, and those that only a response has. */
export interface InputProperties {
  readonly sent: readonly string[];
  readonly received: readonly string[];
}

/** Makes the type check fail if the contract gains a property that is missing here. */
type Properties<T> = Readonly<Record<keyof T, true>>;

const names = <T>(properties: Properties<T>): readonly string[] => Object.keys(properties);

export const storeProperties: InputProperties = {
  sent: names<Omit<StoreUpsert, "externalId">>({
    name: true,
    location: true,
    regionId: true,
    storeType: true,
    openingTimes: true,
    protocolScheduleId: true,
    protocolCronEnabled: true,
    onboardingComplete: true,
    loginCode: true,
  }),
  received: ["storeId", "externalId"],
};

export const contactProperties: InputProperties = {
  sent: names<ContactInput>({ contactType: true, name: true, phone: true, email: true, hasWhatsapp: true }),
  received: ["contactId", "createdAt"],
};

export const expectationProperties: InputProperties = {
  sent: names<ExpectationInput>({
    productCategory: true,
    displayType: true,
    weekday: true,
    protocolTime: true,
    expectedFillRatio: true,
  }),
  received: ["expectationId", "updatedAt"],
};

export const expositionProperties: InputProperties = {
  sent: names<ExpositionInput>({
    expositionId: true,
    label: true,
    friendlyTitle: true,
    productCategories: true,
    expositionType: true,
    status: true,
  }),
  received: [],
};

/**
 * Returns the upsert of a store: every property except `storeId` and `externalId`, which is in the path. A body with
 * all of them has the same meaning under every reading of gap `stores.omitted-fields`.
 */
export function toUpsert(store: Store): StoreUpsert {
  return pick(store, storeProperties);
}

/** Returns the input of a contact for `contacts.replace`: every property except `contactId` and `createdAt`. */
export function toContactInput(contact: Contact): ContactInput {
  return pick(contact, contactProperties) as ContactInput; // a contact has the required properties
}

/**
 * Returns the input of an expectation for `expectations.replace`: every property except `expectationId` and
 * `updatedAt`.
 */
export function toExpectationInput(expectation: Expectation): ExpectationInput {
  // gap answers.nullable-members: a null category may be absent from a response, and an input must have it
  return {
    ...(pick(expectation, expectationProperties) as ExpectationInput),
    productCategory: expectation.productCategory ?? null,
  };
}

/** Returns the input of an exposition for `expositions.upsert`, with its `expositionId`. */
export function toExpositionInput(exposition: Exposition): ExpositionInput {
  return pick(exposition, expositionProperties) as ExpositionInput; // an exposition has the required properties
}

/** Returns the present properties that may be sent. */
export function pick(source: object, { sent }: InputProperties): object {
  const entries = Object.entries(source).filter(
    ([name, value]) => sent.includes(name) && value !== undefined,
  );
  return Object.fromEntries(entries);
}
