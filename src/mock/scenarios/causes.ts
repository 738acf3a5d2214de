/** The origin of a wrong result, and the remedy, in words of HTTP. */
interface Cause {
  readonly title: string;
  readonly hint: string;
}

const CAUSES = {
  "cursor-followed-blindly": {
    title: "The walk follows the cursor without looking at it",
    hint: "Remember each cursor of the walk. Stop with an error when one comes back, or when a page has no row that is new.",
  },
  "ends-early": {
    title: "The walk ends although the service has more rows",
    hint: "End only where the service says so, never at an empty or a short page. If a page and its own data disagree about the end, ask for the next page or stop with an error.",
  },
  "list-changes": {
    title: "The list changes while the program walks over it",
    hint: "Rows move to other pages when rows are added or deleted. Keep the rows by ID, and read the list again until two walks agree, or compare the total count.",
  },
  "boundary-trusted": {
    title: "The program trusts the bounds of a time range",
    hint: "Ask for a range that is wider at both ends, and select the rows by their own time.",
  },
  "filter-trusted": {
    title: "The program trusts that the service has applied its filter",
    hint: "Check each row against the filter, and stop with an error if the property to compare is missing.",
  },
  "meaning-assumed": {
    title: "The program assumes a meaning that the contract leaves open",
    hint: "Check what comes back against something that you know, and stop with an error if it does not fit.",
  },
  "update-erases": {
    title: "An update sends only what changes, and the service resets or removes the rest",
    hint: "Read the entity, change it, send all of it, and compare the response with what you sent.",
  },
  "identity-assumed": {
    title: "The program assumes how the service recognizes an entity",
    hint: "Send the ID of the entity if it has one, read the list after the write, and compare.",
  },
  "read-not-checked": {
    title: "A response is taken for data without a check",
    hint: "Check status, content type and the required properties of every response before its rows count.",
  },
  "read-not-retried": {
    title: "A read that fails once ends in a wrong result",
    hint: "Repeat a read after a lost or broken response, from the same cursor, and stop with an error when it stays broken.",
  },
  "write-repeated": {
    title: "A write that creates something is sent again although the first one was executed",
    hint: "Never repeat it after a lost response or a 5xx. Read what the service has, and send only what is missing.",
  },
  "write-not-checked": {
    title: "A write counts as done although the service did not do it",
    hint: "Check the status and the body of the response to a write, and read the entity if in doubt.",
  },
  "redirect-followed": {
    title: "The program follows a redirect that it must not follow",
    hint: "Do not follow redirects of writes: libraries turn them into reads. Follow those of reads on the same host only, and check that the response is the one that was asked for.",
  },
  "stale-write": {
    title: "The program writes what it read earlier over the change of another writer",
    hint: "Read again directly before the write, and stop or begin again if the entity has changed since.",
  },
  "not-rerunnable": {
    title: "A second run repeats what the first one did",
    hint: "Let a run find out what is done already: read before you create, and keep the IDs that were written.",
  },
  "not-locked": {
    title: "Two runs at the same time do the work twice",
    hint: "Take a lock that both runs see before the first write, and stop if it is taken.",
  },
  "delete-not-recognized": {
    title: "A deletion that succeeded is taken for a failure",
    hint: "Accept 200, 202 and 204 for a DELETE, without reading a body. A 404 for an ID that you deleted means that it is done.",
  },
  "path-not-encoded": {
    title: "An ID is put into a path without encoding",
    hint: "Percent-encode each ID as one path segment.",
  },
  "value-changed": {
    title: "A value is changed between the service and the copy",
    hint: "Keep values as the service sent them: large numbers exactly, text without normalization, unknown values as they are.",
  },
  "retry-after-ignored": {
    title: "The program keeps asking although the service told it to wait",
    hint: "Wait as long as Retry-After says, limit the number of attempts, and stop with an error if the wait is too long.",
  },
  "no-timeout": {
    title: "The program waits for ever",
    hint: "Set a time limit for the whole response, body included, and limit the number of attempts.",
  },
  "secret-sent-on": {
    title: "The token, the key or the data leaves the program",
    hint: "Do not send them to another host after a redirect. Remove the token and the key from messages and logs, also where the service returned them.",
  },
  "credential-cached": {
    title: "The program keeps a token or key that is no longer valid",
    hint: "After a 401 read the token or key again, try once more, then stop with an error.",
  },
  "run-lost-work": {
    title: "A run that was stopped leaves a gap that the next run does not close",
    hint: "Save the position together with the rows of its page, never before them, or begin again from the start.",
  },
  basics: {
    title: "The program does not do the task in a world without faults",
    hint: "Compare the rows or the data below with the task before you look at any other scenario.",
  },
} as const satisfies Record<string, Cause>;

/** The name of a cause. */
export type CauseId = keyof typeof CAUSES;

/** The origins of wrong results, and their remedies. */
export const causes: Readonly<Record<CauseId, Cause>> = CAUSES;
