import type { ReferenceServer } from "../../src/mock/index.ts";

/** What a request is made of besides its operation. */
export interface Ask {
  /** Values of the path's placeholders. */
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean>;
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  text?: string;
  /** Instead of the server's own token or key. */
  secret?: string;
  version?: string;
}

/** The requests of one operation, by what comes of them under the default readings. */
export interface Asks {
  good: Ask[];
  /** 400 */
  bad?: Ask[];
  /** 404 */
  unknown?: Ask[];
  /** Whatever the reading makes of it, as long as the document knows the answer. */
  open?: Ask[];
}

/** The requests of every operation of an API, for a server as it begins. */
export type AskTable = (ref: ReferenceServer) => Record<string, Asks>;
