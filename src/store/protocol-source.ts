import { type CursorSource, readCursorPage } from "../core/cursor-list.ts";
import { InvalidRequestError } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import type { CallOptions } from "../core/options.ts";
import { hash, RepeatGuard } from "../core/repeat-guard.ts";
import { instant } from "../core/rules.ts";
import { type Shape, shapeItems } from "../core/shape.ts";
import { StoreApiError } from "./errors.ts";
import { readState, type State } from "./protocol-state.ts";
import type {
  AskRange,
  NextPageStrategy,
  ProtocolRange,
  ProtocolWalk,
  WalkSettings,
} from "./protocol-walk.ts";

/** What a list of protocols was asked for. */
export interface ProtocolListing<P> {
  strategy: NextPageStrategy;
  shape: Shape<P> | undefined;
  identify: ((protocol: JsonObject) => string) | undefined;
  range: ProtocolRange;
  resume: string | undefined;
  options: CallOptions | undefined;
  ask: AskRange;
}

const doing = "GET /v1/stores/{externalId}/protocols";
const names = { items: "items", cursor: "nextCursor" };

/** The pages of a store's protocols. How they are walked is loaded when the first is asked for. */
export function protocolSource<P>(listing: ProtocolListing<P>): CursorSource<P, State> {
  let loading: Promise<ProtocolWalk<P>> | undefined;
  const load = (): Promise<ProtocolWalk<P>> => {
    loading ??= import("./protocol-walk.ts").then((module) => new module.ProtocolWalk(settingsOf(listing)));
    return loading;
  };
  const start = (): State => readState(doing, listing.resume);
  return {
    doing,
    signal: listing.options?.signal,
    start,
    first: async () => (await (await load()).fetch(start(), new RepeatGuard(doing), undefined)).page,
    fetch: async (state, guard, cancel) => (await load()).fetch(state, guard, cancel),
  };
}

function settingsOf<P>({ strategy, shape, identify, range, ask }: ProtocolListing<P>): WalkSettings<P> {
  return {
    strategy,
    range,
    ask,
    read: (content, guard) => readCursorPage(content, names, guard),
    shape: (content, items) => shapeItems(content, shape, items, names.items),
    key: (protocol, guard) => hash(identity(protocol as JsonObject, identify, guard)),
    instant: (path) =>
      instant(range[path], (message) => {
        throw new InvalidRequestError(doing, [{ path, message }]);
      }),
    isRejection: (error) => error instanceof StoreApiError && error.status === 400,
  };
}

function identity(
  protocol: JsonObject,
  identify: ProtocolListing<unknown>["identify"],
  guard: RepeatGuard,
): string {
  if (identify !== undefined) return identify(protocol);
  const id = protocol?.protocolId ?? protocol?.id; // gap protocols.id-member
  return typeof id === "string" || typeof id === "number" ? String(id) : String(guard.write(protocol));
}
