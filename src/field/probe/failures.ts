/** An error of an option of `probe`. */
export class ProbeOptionError extends Error {
  override readonly name = "ProbeOptionError";
}

/** A service could not be reached, rejected the credentials, or is not the expected API. */
export class ProbeServiceError extends Error {
  override readonly name = "ProbeServiceError";
}

/** A response that is not evidence, or no response. */
export class NoEvidence extends Error {
  override readonly name: string = "NoEvidence";
}

/** No response; the cause does not name the request. */
export class NoResponse extends NoEvidence {
  readonly reason: string;

  constructor(message: string, reason: string) {
    super(message);
    this.reason = reason;
  }
}

/** The run ends early: the budget is used up, the service fails, or the caller stopped it. */
export class RunEnded extends Error {
  override readonly name = "RunEnded";
}

/** The service lacks data that an experiment needs. */
export class Missing extends Error {
  override readonly name = "Missing";
}

/** The service responded differently to two equal requests in a row. */
export class Inconsistent extends Missing {}
