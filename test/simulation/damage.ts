/** Changes the JSON of a response in the way of a fault. */
import type { Fault } from "./scenario.ts";

interface Properties {
  [name: string]: unknown;
}

export function damageBody(text: string, fault: Fault): string {
  if (text === "") return text;
  const json = JSON.parse(text) as Properties; // models respond with objects
  if (fault.kind === "wrong") return replaceProperty(text, fault);
  if (fault.kind === "contradict") contradict(json, fault.property);
  else removeProperty(json);
  return JSON.stringify(json);
}

/** The first property with a name, wherever it is. */
function replaceProperty(text: string, { property, json }: Extract<Fault, { kind: "wrong" }>): string {
  let isReplaced = false;
  const marked = JSON.stringify(JSON.parse(text), (name, value: unknown) => {
    if (name !== property || isReplaced) return value;
    isReplaced = true;
    return "$wrong$";
  });
  return isReplaced ? marked.replace('"$wrong$"', () => json) : text;
}

/** The last property of the entity, or of the first element of the list. */
function removeProperty(json: Properties): void {
  const data = (json["data"] ?? json["items"] ?? json) as Properties | Properties[];
  const entity = Array.isArray(data) ? data[0] : data;
  const name = Object.keys(entity ?? {}).at(-1);
  if (entity !== undefined && name !== undefined) delete entity[name];
}

function contradict(json: Properties, property: string): void {
  const meta = json["meta"] as { readonly pagination?: Properties } | undefined;
  const pagination = meta?.pagination;
  if (pagination === undefined) return;
  const before = pagination[property];
  pagination[property] = typeof before === "number" ? before + 1 : before !== true;
}
