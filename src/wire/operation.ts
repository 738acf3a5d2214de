/** The check of one query parameter. */
export interface QueryRule {
  /** `comma-list`: an array of strings, sent as one string with commas between them. */
  readonly type: "string" | "integer" | "number" | "boolean" | "date-time" | "uuid" | "comma-list";
  readonly minimum?: number;
  readonly maximum?: number;
  /** The values of an enum; no other value is allowed. */
  readonly values?: readonly string[];
  readonly required?: true;
  /** The gap whose reading is the parameter's name; the table holds the name of the default reading. */
  readonly nameGap?: string;
}

/** The query parameters of an operation, by their names in the document. */
export type QueryRules = Readonly<Record<string, QueryRule>>;

/**
 * The form of a successful response, by which a client reads it.
 *
 * - `entity`: an object with at least one property.
 * - `items`: an object with the array `items`.
 * - `cursor-page`: an object with `items` and `nextCursor`.
 * - `detail`: an object with the array `images`.
 * - `object`: any object.
 * - `data`: the envelope `{ data, meta }` with an object in `data`.
 * - `numbered-page`: the envelope with an array in `data`.
 * - `deleted`: the response to a DELETE; any body or none.
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
 * - `idempotent`: whenever no response came, because sending it twice has the effect of sending it once.
 * - `only-if-rejected`: only if the response says that the service did not process the request.
 */
export type RetryClass = "idempotent" | "only-if-rejected";

/** The scopes that permit an operation. */
export interface OperationScopes {
  /** `all`: the scopes of the table. `any`: one of the table or the prose. `disputed`: the gap decides. */
  readonly rule: "all" | "any" | "disputed";
  readonly table: readonly string[];
  readonly prose: readonly string[];
  readonly gap?: string;
}

/** The facts of the contract about a list. */
export interface ListFacts {
  /** Whether the contract shows the response: such a list always has pagination. */
  readonly isDocumented: boolean;
  /** The properties that may hold the ID of an item, the first one that an item has counts. */
  readonly itemId: readonly string[];
  /** The number of items of a page if the request does not set `limit`. */
  readonly defaultPageSize: number;
  /** The largest `limit`. */
  readonly maxPageSize: number;
}

/** The facts of the contract about an operation, besides its schemas. */
export interface OperationRow {
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** The path below the base URL, with the names of the path parameters in braces. */
  readonly path: string;
  /** The path parameters that have a format. */
  readonly formats?: Readonly<Record<string, "uuid">>;
  readonly response: ResponseKind;
  /** Of an `entity`: the property with its ID, which every response has. */
  readonly entityId?: string;
  readonly scopes?: OperationScopes;
  /** Only of lists with pages. */
  readonly list?: ListFacts;
}

/** One operation of the contract. */
export interface Operation extends OperationRow {
  readonly id: string;
  readonly retry: RetryClass;
}

/** A response of the contract. */
export interface ContractResponse<Schema> {
  /** The schema of the body, with closed enums; null if there is no body. */
  readonly schema: Schema | null;
  /** The code that an error body of this status has. */
  readonly code?: string;
}

/** The facts about an operation that a server must know, and a client need not. */
export interface OperationContract<Schema> {
  readonly query?: QueryRules;
  /** The schema of the request body, with closed enums. */
  readonly body?: Schema;
  readonly responses: Readonly<Record<number, ContractResponse<Schema>>>;
}

type Operations<Rows> = {
  readonly [Id in keyof Rows]: Rows[Id] & { readonly id: Id; readonly retry: RetryClass };
};

/** Adds what follows from the ID and the method to each row of a table, so that a client does not download it. */
export function toOperations<Rows extends Readonly<Record<string, OperationRow>>>(
  rows: Rows,
): Operations<Rows> {
  const entries = Object.entries(rows).map(([id, row]) => {
    const retry: RetryClass = /^(?:POST|PATCH)$/.test(row.method) ? "only-if-rejected" : "idempotent";
    return [id, { id, ...row, retry }];
  });
  return Object.fromEntries(entries) as Operations<Rows>; // `entries` has the keys of the rows
}
