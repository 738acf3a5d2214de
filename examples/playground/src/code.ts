import { literal } from "./literal.ts";
import { isList, type Operation } from "./operations.ts";
import { range } from "./server.ts";
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

/** The TypeScript that reads what the heat map shows. */
export function fillRateCode(): string {
  const query = `{ from, to, groupBy: "day", externalIds: [externalId] }`;
  return `${clientCode("store")}

const { from, to } = ${literal(range)};
for await (const { externalId } of store.stores.list()) {
  if (externalId === null) continue;
  const report = await store.fillRates.across(${query});
  console.log(externalId, report);
}`;
}

/** The TypeScript that reads what the map of statuses shows. */
export function fieldStatusCode(): string {
  return `${clientCode("fleet")}

for await (const { id, label } of fleet.vehicleFields.list()) {
  for await (const { plateNumber, status } of fleet.vehicleFields.listVehicles(id)) {
    console.log(label, plateNumber, status);
  }
}`;
}

function clientCode(api: Operation["api"]): string {
  const [className, options] =
    api === "store" ? ["StoreClient", storeOptions()] : ["FleetClient", fleetOptions()];
  return `import { ${className} } from "shelfleet";\n\nconst ${api} = new ${className}(${literal(options)});`;
}

function invocation({ api, call }: Operation, args: unknown[]): string {
  return `${api}.${call}(${args.map((argument) => literal(argument)).join(", ")})`;
}
