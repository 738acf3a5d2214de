// Lets a program of this checkout import the package by its name, as users do, without a build:
// node --import ./build/from-source.ts examples/quickstart.ts
import { registerHooks } from "node:module";
import { sourcesByImport } from "./entry-sources.ts";

registerHooks({
  resolve(specifier, context, next) {
    const source = sourcesByImport[specifier];
    return next(source === undefined ? specifier : new URL(`../${source}`, import.meta.url).href, context);
  },
});
