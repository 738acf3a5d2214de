/** An option of `probe` is wrong. */
export class ProbeOptionError extends Error {
  override readonly name = "ProbeOptionError";
}

/** A service could not be reached, refused the credentials, or is not the API that it was taken for. */
export class ProbeServiceError extends Error {
  override readonly name = "ProbeServiceError";
}

/** A response that proves nothing, or no response at all. */
export class NoEvidence extends Error {
  override readonly name = "NoEvidence";
}

/** The run ends early: the budget is spent, the service fails, or the caller stopped it. */
export class RunEnded extends Error {
  override readonly name = "RunEnded";
}

/** The service lacks what an experiment needs. */
export class Missing extends Error {
  override readonly name = "Missing";
}
