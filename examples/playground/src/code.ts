import { calls } from "./call-table.ts";
import { literal } from "./literal.ts";
import { isList, type Operation } from "./operations.ts";
import { fleetOptions, storeOptions } from "./settings.ts";

/** The TypeScript that a call is: the client as it is made here, and the method with these arguments. */
export function callCode(operation: Operation, args: unknown[]): string {
  const name = isList(operation) ? "page" : "answer";
  return `${clientCode(operation.api)}\n\nconst ${name} = await ${invocation(operation, args)};`;
}

/** The TypeScript that walks over a list's pages. */
export function walkCode(operation: Operation, args: unknown[]): string {
  const walk = `for await (const page of ${invocation(operation, args)}.pages()) {\n  console.log(page.items.length, page.resume);\n}`;
  return `${clientCode(operation.api)}\n\n${walk}`;
}

function clientCode(api: Operation["api"]): string {
  const [className, options] =
    api === "store" ? ["StoreClient", storeOptions()] : ["FleetClient", fleetOptions()];
  return `import { ${className} } from "shelfleet";\n\nconst ${api} = new ${className}(${literal(options)});`;
}

function invocation({ id, api }: Operation, args: unknown[]): string {
  return `${api}.${calls[id].method}(${args.map((argument) => literal(argument)).join(", ")})`;
}
