import { isObject } from "../../../wire/json.ts";

/** The resource of the first client, such as `store.contacts`, for each resource of a client of `withOptions`. */
export const originals = new WeakMap<object, object>();

/** Lets changes through a client of `withOptions` wait for those through the client that created it. */
export function linkCopy<Client extends object>(copy: Client, client: object): Client {
  const resources = copy as Readonly<Record<string, object>>; // both clients have the same properties
  // a resource of the copy is an object as well
  for (const [name, resource] of Object.entries(client))
    if (isObject(resource)) originals.set(resources[name] as object, originals.get(resource) ?? resource);
  return copy;
}
