import type { CredentialInfo, NewKey, ReferenceServer } from "../../index.ts";
import { type UncheckedObject, assertNames, stringOf, propertyError } from "../property-checks.ts";
import { ControlError } from "../control-error.ts";
import { type ControlRoutes, Created } from "../route.ts";

export const credentialRoutes: ControlRoutes = {
  "GET /credentials": ({ ref }) => ({ credentials: ref.credentials.list() }),
  "POST /credentials/tokens": ({ ref, body }) => {
    assertNames(body, ["token", "expiresAt"]);
    return new Created(ref.credentials.addToken(body)); // it checks the values
  },
  "POST /credentials/keys": ({ ref, body }) => new Created(ref.credentials.addKey(newKey(body))),
  "POST /credentials/{id}/revoke": ({ ref, params, body }) => {
    assertNames(body, []);
    return ref.credentials.revoke(findId(ref, params["id"]));
  },
  "POST /credentials/{id}/expire": ({ ref, params, body }) => expire(ref, findId(ref, params["id"]), body),
};

function newKey(body: UncheckedObject): NewKey {
  assertNames(body, ["key", "environment", "scopes", "expiresAt"]);
  const { scopes = [] } = body;
  if (!Array.isArray(scopes)) throw propertyError("scopes", "an array of scopes", scopes);
  for (const [index, scope] of scopes.entries()) stringOf(scope, `scopes[${index}]`);
  return body; // the reference server checks the values
}

function expire({ credentials }: ReferenceServer, id: string, body: UncheckedObject): CredentialInfo {
  assertNames(body, ["at"]);
  return body.at === undefined ? credentials.expire(id) : credentials.expire(id, stringOf(body.at, "at"));
}

/** A path must not contain a secret, so only IDs are accepted; other texts are not quoted. */
function findId({ credentials }: ReferenceServer, id = ""): string {
  const ids = credentials.list().map((one) => one.id);
  if (ids.includes(id)) return id;
  throw new ControlError(404, `No token or key has this ID. Expected one of ${ids.join(", ")}`);
}
