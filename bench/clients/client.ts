/** The operations that each contender has. */
export interface Client {
  /** `GET /v1/stores/{externalId}`, or the operation most like it. */
  getStore: (externalId: string) => Promise<Named>;
  /** Requests the first page of the list of stores, or of the list most like it. Returns the number of items. */
  countPage?: () => Promise<number>;
}

/** A page of stores as the servers of this folder send it. */
export interface StorePage {
  items: readonly unknown[];
}

export interface Named {
  name?: string | null | undefined;
}

export interface Setting {
  /** Without a trailing slash. */
  baseUrl: string;
  /** Used instead of the contender's own HTTP client. */
  fetch?: typeof globalThis.fetch | undefined;
}

export interface ClientModule {
  open: (setting: Setting) => Client | Promise<Client>;
}

/**
 * The settings of all contenders that support them: retries after the first attempt, and the timeout of an attempt in
 * ms.
 */
export const policy = { retries: 2, timeout: 30_000 };
