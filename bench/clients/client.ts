/** What each contender does for its user. */
export interface Client {
  /** `GET /v1/stores/{externalId}`, or the nearest that the contender has. */
  getStore: (externalId: string) => Promise<Named>;
}

export interface Named {
  name?: string | null | undefined;
}

export interface Setting {
  /** Without a slash at its end. */
  baseUrl: string;
  /** In place of the platform's. */
  fetch?: typeof globalThis.fetch | undefined;
}

export interface ClientModule {
  open: (setting: Setting) => Client | Promise<Client>;
}

/** The same for everyone who has them: retries after the first attempt, and ms for an attempt. */
export const policy = { retries: 2, timeout: 30_000 };
