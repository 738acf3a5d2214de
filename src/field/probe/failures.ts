/** An error of an option of `probe`. */
export class ProbeOptionError extends Error {
  override readonly name = "ProbeOptionError";
}

/** A service could not be reached, rejected the credentials, or is not the expected API. */
export class ProbeServiceError extends Error {
  override readonly name = "ProbeServiceError";
}

/** The service lacks data that an experiment needs. */
export class Missing extends Error {
  override readonly name = "Missing";
}

/** The service responded differently to two equal requests in a row. */
export class Inconsistent extends Missing {}
