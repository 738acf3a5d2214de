import { Expression, literal } from "./literal.ts";
import { isList, type Operation } from "./operations.ts";
import { range } from "./server-options.ts";
import { serverCode } from "./server-code.ts";
import { isString, keptSignal } from "./kept-signal.ts";
import { fleetOptions, storeOptions } from "./settings.ts";

/** The server that the code connects to: a reference server that it creates, or a service. */
export type CodeTarget = "reference" | "service";

export const codeTarget = keptSignal<CodeTarget>("code", "reference", isCodeTarget);

function isCodeTarget(value: unknown): value is CodeTarget {
  return isString(value) && ["reference", "service"].includes(value);
}

/** The TypeScript of a call: the client as it is created here, and the method with these arguments. */
export function callCode(operation: Operation, args: unknown[]): string {
  const name = isList(operation) ? "page" : "result";
  return `${clientCode(operation.api)}

const ${name} = await ${invocation(operation, args)};
console.log(JSON.stringify(${name}, null, 2));`;
}

/** The TypeScript that walks over a list's pages. */
export function walkCode(operation: Operation, args: unknown[]): string {
  const walk = `for await (const page of ${invocation(operation, args)}.pages()) {\n  console.log(page.items.length, page.resume);\n}`;
  return `${clientCode(operation.api)}\n\n${walk}`;
}

/** The TypeScript that reads the data of the heat map. */
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

/** The TypeScript that reads the data of the status map. */
export function fieldStatusCode(): string {
  return `${clientCode("fleet")}

for await (const { id, label } of fleet.vehicleFields.list()) {
  for await (const { plateNumber, status } of fleet.vehicleFields.listVehicles(id)) {
    console.log(label, plateNumber, status);
  }
}`;
}

function clientCode(api: Operation["api"]): string {
  return codeTarget.value === "reference" ? referenceClientCode(api) : serviceClientCode(api);
}

function serviceClientCode(api: Operation["api"]): string {
  const [className, options] =
    api === "store" ? ["StoreClient", storeOptions()] : ["FleetClient", fleetOptions()];
  const secret = api === "store" ? "token" : "key";
  return `import { ${className} } from "shelfleet";

// replace the base URL and the ${secret} by those of your service
${creation(api, className, options)}`;
}

function creation(api: Operation["api"], className: string, options: object): string {
  const begin = `const ${api} = new ${className}(`;
  return `${begin}${literal(options, "", begin.length)});`;
}

function referenceClientCode(api: Operation["api"]): string {
  const { imports, names, code } = serverCode(api);
  const className = api === "store" ? "StoreClient" : "FleetClient";
  const fetch = new Expression("ref.fetch");
  const baseUrl = new Expression(`ref.${api}Url`);
  const options =
    api === "store"
      ? { ...storeOptions(), baseUrl, token: new Expression("ref.token"), fetch }
      : { ...fleetOptions(), baseUrl, key: new Expression("key"), fetch };
  return [
    ...imports.toSorted(),
    `import { ${[className, ...names].join(", ")} } from "shelfleet";`,
    `import { createReferenceServer } from "shelfleet/mock";`,
    "",
    code,
    creation(api, className, options),
  ].join("\n");
}

function invocation({ api, call }: Operation, args: unknown[]): string {
  return `${api}.${call}(${args.map((argument) => literal(argument)).join(", ")})`;
}
