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
