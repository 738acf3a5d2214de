import type { CredentialInfo, NewKey, ReferenceServer } from "../../index.ts";
import { ControlError } from "../control-error.ts";
import { type UncheckedObject, assertNames, stringOf, propertyError } from "../property-checks.ts";
import { type ControlRoute, created, ok } from "../route.ts";

export const credentialRoutes: readonly ControlRoute[] = [
  { method: "GET", path: "credentials", run: ({ ref }) => ok({ credentials: ref.credentials.list() }) },
  {
    method: "POST",
    path: "credentials/tokens",
    run({ ref, body }) {
      assertNames(body, ["token", "expiresAt"]);
      return created(ref.credentials.addToken(body)); // it checks the values
    },
  },
  {
    method: "POST",
    path: "credentials/keys",
    run: ({ ref, body }) => created(ref.credentials.addKey(newKey(body))),
  },
  {
    method: "POST",
    path: "credentials/{id}/revoke",
    run({ ref, params, body }) {
      assertNames(body, []);
      return ok(ref.credentials.revoke(findId(ref, params["id"])));
    },
  },
  {
    method: "POST",
    path: "credentials/{id}/expire",
    run: ({ ref, params, body }) => ok(expire(ref, findId(ref, params["id"]), body)),
  },
];

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
