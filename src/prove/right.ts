/** What a program does that gets the right result although something goes wrong. A stop earns a warning. */
const SOLVE = {
  basics:
    "Do the task where nothing goes wrong: compare the rows or the data with the task before anything else.",
  "walk-to-the-end": "End only where the service says so, never at an empty or a short page.",
  "walk-again": "Keep the rows by ID, and read until two walks with different page sizes agree.",
  "deliver-once": "Deliver each ID once, wherever the list repeats it.",
  "trust-the-last-page": "End at the last page that the service announces, and ask for no page after it.",
  "any-order": "Accept the rows in any order.",
  "repeat-reads": "Repeat a read a few times from its position after a lost or broken response or a 5xx.",
  "limit-the-time": "Set a time limit for the whole response, body included, and repeat the read.",
  wait: "Wait as long as Retry-After says, or a moment without it, and try again a few times.",
  "read-the-credential": "After a 401 read the token or key again, and try once more.",
  "send-the-whole": "Read the entity, change it, and send all of it, also properties that you do not know.",
  "accept-success": "Accept every documented success: 200, 201 and 204, with or without a body.",
  "keep-the-values":
    "Keep texts, nulls, unknown properties and each row with an ID as the service sent them.",
  "find-what-is-done": "Let a run find out what is done already: read before you create.",
} as const;

/** What a program does where it may have to stop: the result can be wrong in a way that only an error reports. */
const STOP = {
  "notice-loops": "Stop with an error when a cursor comes back or a page has no row that is new.",
  "notice-the-end":
    "If a page contradicts its totals or has none, or the number of rows is not the total, read the list again or stop with an error.",
  "compare-walks":
    "An empty or a full page without a cursor may not be the last one: read the list again until two walks with different page sizes agree, or stop with an error.",
  "notice-changes": "Compare total counts and two walks with different page sizes, and stop if they differ.",
  "select-by-time": "Ask for a range that is wider at both ends, and select the rows by their own time.",
  "check-the-filter": "Check each row against the filter, and stop if the property to compare is missing.",
  "check-the-meaning": "Check what comes back against something that you know, and stop if it does not fit.",
  "check-reads": "Check status, content type and required properties before a page or a write counts.",
  "check-writes": "Check status and body of the response to a write, and read the entity if in doubt.",
  "never-repeat-creates":
    "Never repeat a write after a lost response or a 5xx: read what the service has, and send only what is missing.",
  "compare-before-writing":
    "Read the entity or the list twice before the write: stop or begin again if the two differ, because one read shows no change.",
  "recognize-deletions":
    "Accept 200, 202 and 204 for a DELETE, and the API's own 404 for an ID that you deleted before.",
  "compare-identities":
    "Send the ID of an entity that has one, and compare what the service returns with it.",
  "encode-paths": "Percent-encode each ID as one segment of a path.",
  "keep-digits": "Keep numbers exactly as they were sent, or stop with an error.",
  "keep-all-rows": "Use an ID that every row has as the key of the copy.",
  "do-not-follow":
    "Do not follow redirects of writes; follow those of reads on the same host only, and check what comes.",
  "obey-the-wait":
    "Wait as long as Retry-After says, limit the attempts, and stop with an error if the wait is too long.",
  "stop-without-credential": "After a second 401 stop with an error.",
  "keep-secrets":
    "Send the secret to no other host, and remove it from messages and logs, also where the service returned it.",
  "save-together": "Save the position together with the rows of its page, or begin again from the start.",
  "remember-writes": "Keep a record of what was written, and read it and the list before you create.",
  lock: "Take a lock that both runs see before the first write, and stop if it is taken.",
  "end-waits": "Set a time limit for the whole response, body included, and limit the number of attempts.",
} as const;

/** What a program needs that has done nothing wrong. */
const HELP = {
  "more-time":
    "If it runs on a schedule, run one pass and exit. Otherwise give it more time (--timeout; in code timeout), or run fewer programs at once (--jobs).",
} as const;

/** What would have been right, by its ID. */
export type RightId = keyof typeof SOLVE | keyof typeof STOP | keyof typeof HELP;

/** What would have been right, in one sentence. */
export const right: Readonly<Record<RightId, string>> = { ...SOLVE, ...STOP, ...HELP };

/** Whether a program can get the right result, so that a stop earns a warning. */
export function isSolvable(id: RightId): boolean {
  return Object.hasOwn(SOLVE, id);
}
