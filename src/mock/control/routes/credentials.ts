import type { CredentialInfo, NewKey, ReferenceServer } from "../../index.ts";
import { ControlError } from "../control-error.ts";
import { type Members, assertNames, stringOf, wrong } from "../members.ts";
import { type ControlRoute, created, ok } from "../route.ts";

export const credentialRoutes: readonly ControlRoute[] = [
  { method: "GET", path: "credentials", run: ({ ref }) => ok({ credentials: ref.credentials.list() }) },
  {
    method: "POST",
    path: "credentials/tokens",
    run({ ref, members }) {
      assertNames(members, ["token", "expiresAt"]);
      return created(ref.credentials.addToken(members)); // it checks the values
    },
  },
  {
    method: "POST",
    path: "credentials/keys",
    run: ({ ref, members }) => created(ref.credentials.addKey(newKey(members))),
  },
  {
    method: "POST",
    path: "credentials/{id}/revoke",
    run({ ref, params, members }) {
      assertNames(members, []);
      return ok(ref.credentials.revoke(findId(ref, params["id"])));
    },
  },
  {
    method: "POST",
    path: "credentials/{id}/expire",
    run: ({ ref, params, members }) => ok(expire(ref, findId(ref, params["id"]), members)),
  },
];

function newKey(members: Members): NewKey {
  assertNames(members, ["key", "environment", "scopes", "expiresAt"]);
  const { scopes = [] } = members;
  if (!Array.isArray(scopes)) throw wrong("scopes", "an array of scopes", scopes);
  for (const [index, scope] of scopes.entries()) stringOf(scope, `scopes[${index}]`);
  return members; // the reference server checks the values
}

function expire({ credentials }: ReferenceServer, id: string, members: Members): CredentialInfo {
  assertNames(members, ["at"]);
  return members.at === undefined
    ? credentials.expire(id)
    : credentials.expire(id, stringOf(members.at, "at"));
}

/** A path must not contain a secret, so only IDs are accepted; other texts are not quoted. */
function findId({ credentials }: ReferenceServer, id = ""): string {
  const ids = credentials.list().map((one) => one.id);
  if (ids.includes(id)) return id;
  throw new ControlError(404, `No token or key has this ID. Expected one of ${ids.join(", ")}`);
}
