/** Changes the JSON of a response in the way of a fault. */
import type { Fault } from "./scenario.ts";

interface Properties {
  [name: string]: unknown;
}

/** A character that is sent as a byte that UTF-8 does not have. */
export const noUtf8 = "\u{e0ff}";

export function encodeBody(text: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(text);
  const wrong = Buffer.from(noUtf8);
  for (let at = bytes.indexOf(wrong); at >= 0; at = bytes.indexOf(wrong)) bytes.fill(0xff, at, at + 3);
  return Uint8Array.from(bytes);
}

export function damageBody(text: string, fault: Fault): string {
  if (text === "") return text;
  if (fault.kind === "wrong" && fault.pattern !== undefined)
    return text.replace(new RegExp(fault.pattern, "s"), () => fault.json);
  const json = JSON.parse(text) as Properties; // models respond with objects
  if (fault.kind === "wrong") return replaceFirst(text, (name) => name === fault.property, fault.json);
  if (fault.kind === "property") {
    const { at, json: value } = fault;
    const count = replaceFirst(text, () => false, "").match(/":/g)?.length ?? 1;
    let number = -1;
    return replaceFirst(text, () => (number += 1) === at % count, value);
  }
  if (fault.kind === "twice" || fault.kind === "copied") repeatItem(json, fault.kind === "copied");
  else if (fault.kind === "no-items") json["items"] &&= [];
  else if (fault.kind === "cased") return text.replaceAll(uuid, (id) => id.toUpperCase());
  else if (fault.kind === "contradict") contradict(json, fault.property);
  else removeProperty(json);
  return JSON.stringify(json);
}

/** Puts a value in the place of the first property that fits, wherever it is, or removes the property. */
function replaceFirst(text: string, fits: (name: string) => boolean, json: string | null): string {
  let isReplaced = false;
  const marked = JSON.stringify(JSON.parse(text), function replace(this: unknown, name, value: unknown) {
    if (name === "" || Array.isArray(this) || isReplaced || !fits(name)) return value;
    isReplaced = true;
    return json === null ? undefined : "$wrong$";
  });
  return isReplaced ? marked.replace('"$wrong$"', () => json ?? "") : text;
}

/** The last property of the entity, or of the first element of the list. */
function removeProperty(json: Properties): void {
  const data = (json["data"] ?? json["items"] ?? json) as Properties | Properties[];
  const entity = Array.isArray(data) ? data[0] : data;
  const name = Object.keys(entity ?? {}).at(-1);
  if (entity !== undefined && name !== undefined) delete entity[name];
}

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

function repeatItem(json: Properties, hasOtherId: boolean): void {
  const items = Object.values(json).find((value) => Array.isArray(value)) as unknown[] | undefined;
  if (items?.[0] === undefined) return;
  const text = JSON.stringify(items[0]);
  items.push(JSON.parse(hasOtherId ? text.replaceAll(uuid, (id) => `0${id.slice(1)}`) : text));
}

function contradict(json: Properties, property: string): void {
  const meta = json["meta"] as { readonly pagination?: Properties } | undefined;
  const pagination = meta?.pagination;
  if (pagination === undefined) return;
  const before = pagination[property];
  pagination[property] = typeof before === "number" ? before + 1 : before !== true;
}
