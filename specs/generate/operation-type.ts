/** The types of the operation tables, the same for both APIs. */
export const operationTypes = `
/** The check of one query parameter. */
export interface QueryRule {
  /** \`comma-list\`: an array of strings, sent as one string with commas between them. */
  readonly type: "string" | "integer" | "number" | "boolean" | "date-time" | "uuid" | "comma-list";
  readonly minimum?: number;
  readonly maximum?: number;
  /** The values of an enum; no other value is allowed. */
  readonly values?: readonly string[];
  readonly required?: true;
  /** The gap whose reading is the parameter's name; the table holds the name of the default reading. */
  readonly nameGap?: string;
}

/**
 * How a client reads a successful response.
 *
 * - \`entity\`: an object with at least one property.
 * - \`items\`: an object with the array \`items\`.
 * - \`cursor-page\`: an object with \`items\` and \`nextCursor\`.
 * - \`detail\`: an object with the array \`images\`.
 * - \`object\`: any object.
 * - \`data\`: the envelope \`{ data, meta }\` with an object in \`data\`.
 * - \`numbered-page\`: the envelope with an array in \`data\`.
 * - \`deleted\`: the response to a DELETE; any body or none.
 */
export type ResponseKind =
  | "entity"
  | "items"
  | "cursor-page"
  | "detail"
  | "object"
  | "data"
  | "numbered-page"
  | "deleted";

/**
 * When a request may be sent again.
 *
 * - \`idempotent\`: whenever no response came, because sending it twice has the effect of sending it once.
 * - \`only-if-rejected\`: only if the response says that the service did not process the request.
 */
export type RetryClass = "idempotent" | "only-if-rejected";

/** The scopes that open an operation. */
export interface OperationScopes {
  /** \`all\`: the scopes of the table. \`any\`: one of the table or the prose. \`disputed\`: the gap decides. */
  readonly rule: "all" | "any" | "disputed";
  readonly table: readonly string[];
  readonly prose: readonly string[];
  readonly gap?: string;
}

/** What the contract fixes about an operation. \`Schema\` is the name of an exported request or response schema. */
export interface Operation<Schema extends string = string> {
  readonly id: string;
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** The path below the base URL, with the names of the path parameters in braces. */
  readonly path: string;
  /** The path parameters that have a format. */
  readonly formats?: Readonly<Record<string, "uuid">>;
  readonly query?: Readonly<Record<string, QueryRule>>;
  /** The schema of the request body. */
  readonly body?: Schema;
  readonly response: ResponseKind;
  readonly responseSchema?: Schema;
  readonly retry: RetryClass;
  /** Gaps under which sending the request twice differs from sending it once; \`repeatableReadings\` lists their safe readings. */
  readonly retryGaps?: readonly string[];
  readonly scopes?: OperationScopes;
}
`;
