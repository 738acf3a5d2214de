/** What each contender does for its user. */
export interface Client {
  /** `GET /v1/stores/{externalId}`, or the nearest that the contender has. */
  getStore: (externalId: string) => Promise<Named>;
  /** The first page of the list of stores, or the nearest that the contender has: how many items it holds. */
  countPage?: () => Promise<number>;
}

/** A page of stores as the servers here write it. */
export interface StorePage {
  items: readonly unknown[];
}

export interface Named {
  name?: string | null | undefined;
}

export interface Setting {
  /** Without a slash at its end. */
  baseUrl: string;
  /** In place of the contender's own way to send. */
  fetch?: typeof globalThis.fetch | undefined;
}

export interface ClientModule {
  open: (setting: Setting) => Client | Promise<Client>;
}

/** The same for everyone who has them: retries after the first attempt, and ms for an attempt. */
export const policy = { retries: 2, timeout: 30_000 };
