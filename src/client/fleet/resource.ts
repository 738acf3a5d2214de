import type { paths } from "../../../generated/fleet.ts";
import type { Core } from "../core.ts";
import type { Http } from "../http.ts";
import type { NumberedSettings } from "../lists/numbered.ts";
import type { NumberedQuery } from "../lists/query.ts";

/** What the resources need of their client. */
export interface FleetApi {
  readonly core: Core;
  readonly http: Http<paths>;
  /** Returns the settings of the list at a route. */
  readonly pagesOf: (route: string) => NumberedSettings;
}

/** Creates the part of a client that its resources use. A list that the contract only names may come whole. */
export function createFleetApi(core: Core, http: Http<paths>, hasWholeLists: boolean): FleetApi {
  return {
    core,
    http,
    pagesOf(route) {
      const isDocumented = core.operations.get(`GET ${route}`)?.list?.isDocumented === true;
      const advice = isDocumented ? "" : " (if the list comes whole, set the client option wholeLists: true)";
      return { mayBeWhole: hasWholeLists && !isDocumented, advice };
    },
  };
}

/** The options of every list query. Contract: fleet 4, Shared list parameters. */
export interface PageQuery extends NumberedQuery {
  /** The first page, 1 or more (default: 1). */
  page?: number | undefined;
  /** The number of items on a page, 1 to 100 (default: 50). */
  limit?: number | undefined;
}
