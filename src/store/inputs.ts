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

/** The members of an input, and those that only a response has. */
export interface InputMembers {
  readonly sent: readonly string[];
  readonly received: readonly string[];
}

/** Makes the type check fail if the contract gains a member that is missing here. */
type Members<T> = Readonly<Record<keyof T, true>>;

const names = <T>(members: Members<T>): readonly string[] => Object.keys(members);

export const storeMembers: InputMembers = {
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

export const contactMembers: InputMembers = {
  sent: names<ContactInput>({ contactType: true, name: true, phone: true, email: true, hasWhatsapp: true }),
  received: ["contactId", "createdAt"],
};

export const expectationMembers: InputMembers = {
  sent: names<ExpectationInput>({
    productCategory: true,
    displayType: true,
    weekday: true,
    protocolTime: true,
    expectedFillRatio: true,
  }),
  received: ["expectationId", "updatedAt"],
};

export const expositionMembers: InputMembers = {
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
 * Returns what an upsert may contain of a store: every member but `storeId` and `externalId`, which is in the path.
 * A body with all of them has the same meaning under every reading of gap `stores.omitted-fields`.
 */
export function toUpsert(store: Store): StoreUpsert {
  return pick(store, storeMembers);
}

/** Returns what `contacts.replace` takes of a contact: every member but `contactId` and `createdAt`. */
export function toContactInput(contact: Contact): ContactInput {
  return pick(contact, contactMembers) as ContactInput; // a contact has the required members
}

/** Returns what `expectations.replace` takes of an expectation: every member but `expectationId` and `updatedAt`. */
export function toExpectationInput(expectation: Expectation): ExpectationInput {
  // gap answers.nullable-members: a null category may be absent from a response, and an input must have it
  return {
    ...(pick(expectation, expectationMembers) as ExpectationInput),
    productCategory: expectation.productCategory ?? null,
  };
}

/** Returns what `expositions.upsert` takes of an exposition, with its `expositionId`. */
export function toExpositionInput(exposition: Exposition): ExpositionInput {
  return pick(exposition, expositionMembers) as ExpositionInput; // an exposition has the required members
}

/** The members that may be sent, as far as they are there. */
export function pick(source: object, { sent }: InputMembers): object {
  const entries = Object.entries(source).filter(
    ([name, value]) => sent.includes(name) && value !== undefined,
  );
  return Object.fromEntries(entries);
}
