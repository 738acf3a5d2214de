import type {
  ContactInput,
  ExpectationInput,
  ExpositionInput,
  ExpositionType,
  JsonObject,
  OpeningTime,
  StoreUpsert,
} from "../../../../generated/store.ts";

/** A contact to begin with; its ID and time are made up where they are missing. */
export interface ContactSeed extends ContactInput {
  contactId?: string;
  createdAt?: string;
}

/** An expectation to begin with; all but its display is made up where it is missing. */
export interface ExpectationSeed extends Partial<ExpectationInput> {
  displayType: ExpositionType;
  expectationId?: string;
  updatedAt?: string;
}

/** An exposition to begin with; all but its type is made up where it is missing. */
export interface ExpositionSeed extends Partial<ExpositionInput> {
  expositionType: ExpositionType;
}

/** A store to begin with. What is left out is made up; lists that are left out are empty. */
export interface StoreSeed extends Omit<StoreUpsert, "openingTimes"> {
  externalId: string;
  storeId?: string;
  openingTimes?: OpeningTime[];
  contacts?: ContactSeed[];
  expectations?: ExpectationSeed[];
  expositions?: ExpositionSeed[];
  /** `protocolId`, `status` and `createdAt` are made up where they are missing, unless a shape is given. */
  protocols?: JsonObject[];
  /** `photoId`, `status` and `createdAt` are made up where they are missing. */
  photos?: JsonObject[];
}

/** What the store API begins with. */
export interface StoreOptions {
  /** `null`: no token is configured, and every answer is 503. Left out: a seeded one. */
  token?: string | null;
  /** How many stores there are (250), or which. Their IDs are `S-1`, `S-2`, … */
  stores?: number | StoreSeed[];
  /** How many protocols each store has; left out, three to six. */
  protocolsPerStore?: number;
}
