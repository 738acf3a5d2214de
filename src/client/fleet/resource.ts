import type { paths } from "../../../generated/fleet.ts";
import { type GetPage, type ListCall, listSource } from "../call.ts";
import type { Core } from "../core.ts";
import type { Issue } from "../errors.ts";
import { notify, writeLog } from "../notify.ts";
import type { Http } from "../http.ts";
import { type NumberedSettings, pageList, type PageList } from "../lists/numbered.ts";
import type { DriftReaction, NumberedQuery } from "../lists/query.ts";
import type { CallOptions } from "../options.ts";
import type { CallInit } from "../request.ts";
import { parseWith, type Shape } from "../shape.ts";
import { copyArgument } from "../snapshot.ts";

/** What a resource needs of its client. */
export interface FleetApi<Output = never> {
  readonly core: Core;
  readonly http: Http<paths>;
  /** Whether lists that the contract only names may come whole. */
  readonly hasWholeLists: boolean;
  /** What happens if a list does not add up. */
  readonly onDrift: DriftReaction;
  /** The shapes of what the resource reads, and of what it writes. */
  readonly output?: Shape<Output> | undefined;
  readonly input?: Shape | undefined;
}

/** Returns the argument of openapi-fetch for a body, which the shape of the client parses. */
export function toWrite(
  { input }: FleetApi<unknown>,
  body: unknown,
  options: CallOptions | undefined,
): CallInit & { body: never } {
  const parseBody = input && shapeBody.bind(undefined, input);
  return { body: body as never, call: { options, parseBody } }; // the method has its type
}

/** The same for a body that replaces the entity with an ID. */
export function toReplace(
  api: FleetApi<unknown>,
  id: string,
  body: unknown,
  options: CallOptions | undefined,
): CallInit & { body: never; params: { path: { id: string } } } {
  return { ...toWrite(api, body, options), params: { path: { id } } };
}

/** Parses a body with a shape. */
async function shapeBody(shape: Shape, body: unknown, issues: Issue[]): Promise<unknown> {
  const shaped = await parseWith(shape, copyArgument(body));
  if (shaped.issues === undefined) return shaped.value;
  issues.push(...shaped.issues);
  return undefined;
}

/** The routes of lists. */
type ListRoute = {
  [Route in keyof paths]: paths[Route] extends { get: { parameters: { query?: { page?: number } } } }
    ? Route
    : never;
}[keyof paths];

/** Creates the list at a route. */
export function pagesOf<T, Meta = Record<string, unknown>>(
  { core, http, hasWholeLists, onDrift, output }: FleetApi<T>,
  route: ListRoute,
  call: ListCall<T>,
): PageList<T, Meta> {
  const isDocumented = core.operations.get(`GET ${route}`)?.list?.isDocumented === true;
  const advice = isDocumented ? "" : " (if the list comes whole, set the client option wholeLists: true)";
  const mayBeWhole = hasWholeLists && !isDocumented;
  const get: GetPage = (query, init) =>
    http.GET(route as "/vehicles", { params: { path: call.path, query } as object, ...init }); // a list without further parameters
  const source = listSource(core, route, { ...call, shape: output }, get);
  const { operation } = source;
  const settings: NumberedSettings = {
    mayBeWhole,
    advice,
    onDrift,
    report(drift, sentence) {
      notify(core.hooks, "onDrift", () => ({ operation, drift }));
      writeLog(core.log, "warn", `shelfleet: ${operation}: ${core.redactor.redact(sentence)}`);
    },
  };
  return pageList<T, Meta>(source, settings);
}

/** The options of every list query. Contract: fleet 4, Shared list parameters. */
export interface PageQuery extends NumberedQuery {
  /** The first page, 1 or more (default: 1). */
  page?: number | undefined;
  /** The number of items on a page, 1 to 100 (default: 50). */
  limit?: number | undefined;
}
