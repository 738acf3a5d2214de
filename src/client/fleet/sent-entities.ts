// Loaded with the first call of `ensure`.
import { isObject, type JsonObject } from "../../wire/json.ts";
import { lockApi } from "../core/pagination/lock-api.ts";
import { sourceOf } from "../core/pagination/list.ts";
import type { DestinationLock } from "../core/request/destination.ts";
import type { AnyInput } from "../core/request/operation.ts";
import type { Shape } from "../core/request/shape.ts";

/** The parts of an update: the entity as the service sent it and as a shape returned it, and the desired properties. */
interface Update {
  sent: JsonObject;
  current: JsonObject;
  desired: JsonObject;
}

/**
 * Remembers the entities of one `ensure` as the service sent them: a shape may leave out or convert properties, which an
 * update would then lose or change.
 */
export class SentEntities {
  readonly #sent = new WeakMap<object, JsonObject>();
  readonly #updates = new WeakMap<object, Update>();

  /** Returns an entity as the service sent it. */
  sentOf(entity: JsonObject): JsonObject {
    return this.#sent.get(entity) ?? entity;
  }

  /** Reads a list at the given destination. A list of another library is read as it is. */
  async *read(
    list: AsyncIterable<unknown>,
    destination: DestinationLock,
  ): AsyncGenerator<unknown, void, void> {
    const { call, asSent } = sourceOf(list) ?? {};
    if (call === undefined || asSent === undefined) {
      for await (const entity of list) yield entity;
      return;
    }
    const entities = asSent.open({ api: lockApi(call.api, destination), query: call.baseQuery });
    for await (const { item, sent } of entities) yield this.#remember(item, sent);
  }

  /** Adds the properties of an entity's detail to those of the list. */
  merge(listed: JsonObject, detail: JsonObject): JsonObject {
    return this.#remember({ ...listed, ...detail }, { ...this.sentOf(listed), ...this.sentOf(detail) });
  }

  /** Returns the body of a PUT, which may reset what it omits (gap fleet.put): the whole entity. */
  updateOf<Input extends object>(current: JsonObject, given: Input): Input {
    const desired: JsonObject = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    );
    const body = { ...current, ...desired };
    this.#updates.set(body, { sent: this.sentOf(current), current, desired });
    return body as Input; // an entity with the desired properties
  }

  /** Changes the input of a call: its response is remembered, and the body of an update is the whole entity. */
  adjust({ transform, ...input }: AnyInput): AnyInput {
    const update = isObject(input.body) ? this.#updates.get(input.body) : undefined;
    return {
      ...input,
      bodyShape: update ? completing(update, input.bodyShape) : input.bodyShape,
      transform: async (data, content) =>
        this.#remember(transform === undefined ? data : await transform(data, content), data),
    };
  }

  #remember<T>(entity: T, sent: unknown): T {
    if (isObject(entity) && isObject(sent)) this.#sent.set(entity, sent);
    return entity;
  }
}

/** Returns a shape that validates as the given one, and whose output has all that the service sent. */
function completing({ sent, current, desired }: Update, shape: Shape | undefined): Shape {
  const complete = (output: unknown): unknown => {
    if (!isObject(output)) return output;
    // a property that was only read is sent back as it came
    const written = Object.entries(output).filter(([name]) => name in desired || !(name in current));
    return { ...sent, ...Object.fromEntries(written) };
  };
  return {
    "~standard": {
      version: 1,
      async validate(body) {
        const result = (await shape?.["~standard"].validate(body)) ?? { value: body };
        return result.issues === undefined ? { value: complete(result.value) } : result;
      },
    },
  };
}
