import { hash } from "../../../wire/hash.ts";
import { isObject, type JsonObject, objectOf, parseJson } from "../../../wire/json.ts";
import type { InvalidRequestError } from "../errors/errors.ts";
import type { ResponseContent } from "../request/content.ts";
import {
  type Destination,
  type DestinationCheck,
  type DestinationLock,
  serializeDestination,
} from "../request/destination.ts";
import { isSimilarId } from "../../../wire/similar-id.ts";
import { describeDifference, digestsOf } from "./digests.ts";
import { readGuardState, WalkGuard } from "./guard.ts";
import { type ListCall, refusal } from "./list-call.ts";
import type { RequestSender } from "./list-reader.ts";

/** The version of the token format. It changes if tokens of another version would be misread. */
const version = 3;
/** Limits the work that a token can cause. */
const maxTokenLength = 16 * 1024 * 1024;

/** The state of a walk that all kinds of lists have. */
export interface Walk {
  guard: WalkGuard;
  destination: DestinationLock;
  /** The position of the token to resume from. */
  resumed: { position: unknown } | undefined;
  /** Sends a request of the walk. */
  send: (operation: string, input: PageInput, cancel: AbortSignal | undefined) => Promise<ResponseContent>;
}

/** The path IDs and the query of a request. */
export interface PageInput {
  path: object | undefined;
  query: object;
}

/** Starts a walk at the first page, or at the position of its resume token. */
export function beginWalk(call: ListCall, sender: RequestSender): Walk {
  const { label, start, baseQuery, api, options } = call;
  const open = (check?: DestinationCheck): Pick<Walk, "destination" | "send"> => {
    const destination = sender.lockDestination(check);
    const send: Walk["send"] = (operation, input, cancel) => {
      // JSON has no bigint; the request with one is rejected when it is built
      const key = JSON.stringify([operation, input], (_, part: unknown) =>
        typeof part === "bigint" ? `${part}` : part,
      );
      return sender.send(key, () => api.page(operation, input, options, destination, cancel));
    };
    return { destination, send };
  };
  const { resume } = call.positionQuery;
  const maxIdle = call.positionQuery.maxIdleRequests as number | undefined; // checked here
  if (maxIdle !== undefined && !(Number.isSafeInteger(maxIdle) && maxIdle > 0))
    throw refusal(call, "maxIdleRequests", "must be an integer of at least 1");
  if (resume === undefined) return { guard: new WalkGuard(label, maxIdle), resumed: undefined, ...open() };
  if (start !== undefined && baseQuery[start] !== undefined)
    throw refusal(call, start, "cannot be given together with `resume`, which sets the position in the list");
  const { position, guard, destination } = readToken(call, resume);
  const state = readGuardState(guard);
  if (state === undefined) throw badToken(call);
  const checkDestination = (current: Destination): void => {
    if (digestDestination(current) === destination) return;
    throw refusal(call, "resume", "belongs to a list with another base URL or environment");
  };
  return { guard: new WalkGuard(label, maxIdle, state), resumed: { position }, ...open(checkDestination) };
}

/** Serializes the position of a walk that has sent a request. */
export function writeToken(
  call: ListCall,
  position: object,
  { guard, destination }: Pick<Walk, "guard" | "destination">,
): string {
  const { current } = destination;
  const place = current && digestDestination(current);
  return JSON.stringify({
    v: version,
    list: digestsOf(call),
    destination: place,
    position,
    guard: guard.state,
  });
}

function digestDestination(destination: Destination): string {
  return hash(serializeDestination(destination)).toString(36);
}

export function badToken(call: ListCall): InvalidRequestError {
  return refusal(call, "resume", "must be the `resume` of a page of this list");
}

/** Parses a token of the same list. Throws an `InvalidRequestError` that names the difference. */
function readToken(call: ListCall, token: unknown): JsonObject {
  const digests = digestsOf(call);
  const isShort = typeof token === "string" && token.length <= maxTokenLength;
  const state = objectOf(isShort ? parseJson(token) : undefined);
  const { list } = state;
  if (token === null) throw refusal(call, "resume", "is null: the walk is complete");
  if (state.v !== version || !isObject(list) || list.operation !== digests.operation) throw badToken(call);
  const difference = describeDifference(list, digests);
  if (difference === "") return state;
  throw refusal(call, "resume", `belongs to a list with another ${difference}`);
}

/** Rejects a page of another store, such as that of a redirected request. `owner` is the property with the store's ID. */
export function requireOwner(json: JsonObject, owner: string, { path }: ListCall, guard: WalkGuard): void {
  if (isOther(json[owner], path?.[owner]))
    throw guard.error("the response is about another store: `externalId` differs from the requested one");
}

/** Whether a response has another ID or filter than the request; a service may return a text as a number. */
function isOther(returned: unknown, requested: unknown): boolean {
  return (typeof returned === "string" || typeof returned === "number") && !isSimilarId(returned, requested);
}

/** Rejects a page whose `meta` says that it is about another field, or was filtered by other values than the requested ones. */
export function requireSameList({ field, filters }: JsonObject, call: ListCall, guard: WalkGuard): void {
  if (isOther(objectOf(field)["id"], call.path?.["id"]))
    throw guard.error("the response is about another field: `meta.field.id` differs from the requested one");
  if (!isObject(filters)) return;
  const declared = call.api.config.operations[call.operation]?.query ?? {};
  for (const [property, { name = property }] of Object.entries(declared)) {
    if (name !== "search" && name !== "status") continue; // another one may be a default of the service
    const sent = call.baseQuery[property];
    const used = filters[name] === null ? "" : filters[name];
    if (!isOther(used, sent ?? "")) continue;
    throw guard.error(
      `the response has another filter: \`meta.filters.${name}\` differs from the requested one`,
    );
  }
}
