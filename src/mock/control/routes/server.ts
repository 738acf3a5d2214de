import { keyForm } from "../../apis/fleet/keys.ts";
import type { CredentialInfo, ReferenceServer } from "../../index.ts";
import {
  assertNames,
  ControlError,
  type ControlRoutes,
  Created,
  objectOf,
  propertyError,
  stringOf,
  type UncheckedObject,
} from "../route.ts";

/** A key of the fleet API with the environment that it belongs to. */
export interface KeyInfo {
  key: string;
  environment: "production" | "sandbox" | undefined;
  scopes: readonly string[];
}

export function keysOf({ keys, readings }: ReferenceServer): KeyInfo[] {
  return keys.map(({ key, scopes }) => ({ key, environment: keyForm(key, readings), scopes }));
}

export const behaviorRoutes: ControlRoutes = {
  "GET /health": () => ({ status: "ok" }),
  "GET /clock": ({ ref }) => ({ now: ref.clock.now().toISOString() }),
  "POST /clock": ({ ref, body }) => moveClock(ref, body),
  "GET /readings": ({ ref }) => ref.readings,
  "POST /readings": ({ ref, body }) => ref.switchReadings(body), // it checks the gaps and readings
  "GET /limits": ({ ref }) => ref.limits,
  "PUT /limits": ({ ref, body }) => ref.switchLimits(body), // it checks the values
};

function moveClock({ clock }: ReferenceServer, body: UncheckedObject): void {
  assertNames(body, ["advance", "set"]);
  const { advance, set } = body;
  if ((advance === undefined) === (set === undefined))
    throw new Error('the body must have either "advance" or "set"');
  if (set === undefined) clock.advance(objectOf(advance, "advance"));
  else if (typeof set === "string") clock.set(set);
  else throw propertyError("set", "an ISO 8601 string", set);
}

export const credentialRoutes: ControlRoutes = {
  "GET /credentials": ({ ref }) => ({ credentials: ref.credentials.list() }),
  // the reference server checks names and values
  "POST /credentials/tokens": ({ ref, body }) => new Created(ref.credentials.addToken(body)),
  "POST /credentials/keys": ({ ref, body }) => new Created(ref.credentials.addKey(body)),
  "POST /credentials/{id}/revoke": ({ ref, params, body }) => {
    assertNames(body, []);
    return ref.credentials.revoke(findId(ref, params["id"]));
  },
  "POST /credentials/{id}/expire": ({ ref, params, body }) => expire(ref, findId(ref, params["id"]), body),
};

function expire({ credentials }: ReferenceServer, id: string, body: UncheckedObject): CredentialInfo {
  assertNames(body, ["at"]);
  return body.at === undefined ? credentials.expire(id) : credentials.expire(id, stringOf(body.at, "at"));
}

/** A path must not contain a secret, so only IDs are accepted; other texts are not quoted. */
function findId({ credentials }: ReferenceServer, id = ""): string {
  const ids = credentials.list().map((credential) => credential.id);
  if (ids.includes(id)) return id;
  throw new ControlError(404, `No token or key has this ID. Expected one of ${ids.join(", ")}`);
}
