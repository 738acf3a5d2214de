import { fileURLToPath } from "node:url";

/** Types within public types that users do not need to name. */
const intentionallyNotExported = [
  "generated/fleet.ts:Schema", // a schema by its name
  "generated/store.ts:Schema",
  "src/wire/json.ts:JsonObject", // the same type as the exported one of each API
];

/** The options of TypeDoc for the pages of the interface. */
export function interfaceOptions(root: string) {
  return {
    name: "Interface",
    basePath: root,
    plugin: [fileURLToPath(new URL("interface.ts", import.meta.url))],
    skipErrorChecking: true, // `npm run lint` does it
    disableSources: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeProtected: true,
    preservedTypeAnnotationTags: ["@throws"] as `@${string}`[],
    intentionallyNotExported,
    validation: { notExported: false, invalidLink: true },
    sortEntryPoints: false,
    readme: "none",
    // a page for each entry
    router: "module",
    mergeReadme: true,
    hideGenerator: true,
  };
}
