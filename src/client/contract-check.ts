import * as z from "zod/mini";
import { issueMessage } from "../wire/schema.ts";
import { isObject, type JsonObject, objectOf } from "../wire/json.ts";
import type { Operation } from "../wire/operation.ts";
import type { Issue } from "./errors.ts";
import { findUnwritten, type WrittenFacts } from "./written.ts";
import { isSimilarId } from "./id.ts";

/** A list that a PUT has written. */
export interface WrittenList {
  /** The name of the input in the contract, e.g. `contactInput`. */
  readonly input: string;
  /** Whether the list has no other elements. */
  readonly isReplaced: boolean;
}

/** Checks requests and responses with the generated schemas of one API. */
export class ContractCheck {
  readonly #schemas: Readonly<Record<string, unknown>>;

  constructor(schemas: Readonly<Record<string, unknown>>) {
    this.#schemas = schemas;
  }

  #schemaOf({ id }: Operation, part: "Body" | "Response"): z.ZodMiniType | undefined {
    // the schemas come from the same generator
    return this.#schemas[`z${id.charAt(0).toUpperCase()}${id.slice(1)}${part}`] as z.ZodMiniType | undefined;
  }

  /** Returns what is wrong with the JSON of a body, where an undefined property is absent and a `Date` is a string. */
  checkBody(operation: Operation, json: unknown): Issue[] {
    const schema = this.#schemaOf(operation, "Body");
    return schema === undefined ? [] : validate(schema, json);
  }

  /** Checks the whole body of a response, and that it is about the requested entity; undefined if it is nested too deeply. */
  checkResponse(operation: Operation, path: JsonObject, json: JsonObject): Issue[] | undefined {
    const schema = this.#schemaOf(operation, "Response") as z.ZodMiniType; // each operation has one
    try {
      return [...validate(schema, json), ...findInexact(json), ...findOtherEntity(json, path)];
    } catch (error) {
      if (error instanceof RangeError) return undefined; // the stack is too small
      throw error;
    }
  }

  /** Returns what the response to the write of a list does not show as it was sent. */
  findUnwritten({ input, isReplaced }: WrittenList, body: unknown, response: unknown): Issue[] {
    const facts = this.#schemas[input] as WrittenFacts; // from the same generator
    const [elements = []] = Object.values(body as Record<string, JsonObject[]>);
    const { items } = response as { items: JsonObject[] }; // `read` has checked it
    return findUnwritten(facts, elements, items.map(objectOf), isReplaced);
  }
}

function validate(schema: z.ZodMiniType, value: unknown): Issue[] {
  const { error } = z.safeParse(schema, value);
  if (error === undefined) return [];
  return error.issues.map((issue) => ({
    path: issue.path.map(String).join("."),
    message: issueMessage(issue, value),
  }));
}

/** Returns an issue for each integer beyond 2^53: `JSON.parse` may have changed it, so it cannot be sent back. */
function findInexact(value: unknown, path = ""): Issue[] {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    return [{ path, message: "is an integer that JavaScript cannot hold exactly" }];
  if (typeof value !== "object" || value === null) return [];
  const prefix = path === "" ? "" : `${path}.`;
  return Object.entries(value).flatMap(([name, inner]) => findInexact(inner, prefix + name));
}

/** Returns the issue of a response about another entity than that of the path, as from a cache with a wrong key. */
function findOtherEntity(json: JsonObject, path: JsonObject): Issue[] {
  const data = isObject(json["data"]) ? json["data"] : json;
  return Object.entries(path)
    .filter(([name, id]) => data[name] !== undefined && data[name] !== null && !isSimilarId(data[name], id))
    .map(([name]) => ({ path: name, message: "is not the requested one" }));
}
