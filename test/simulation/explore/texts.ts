/** The texts of responses: which ones a client accepts, and what it says about the others. */
import { noUtf8 } from "../damage.ts";
import type { Fault } from "../scenario.ts";

type Wrong = Extract<Fault, { readonly kind: "wrong" }>;

const many = Array.from({ length: 25 }, (_, number) => `"p${number}":0,`).join("");
const nested = (depth: number): string => `"x":${"[".repeat(depth)}${"]".repeat(depth)},`;

/** Properties before those of the response: right ones, ones that only `validate: "full"` notices, and wrong ones. */
const right: readonly string[] = [
  '"x":{"y":1,"y":2},',
  '"x":[{"y":1},{"y":1}],"y":{"x":1},',
  '"x":"\\"x\\":1","y":"{[\\\\",',
  '"x":"}","y":["]{",[["\\\\"]]],"z":"\\\\",',
  '"x y":1,"é":2,"x|y":3,',
  '"x":9007199254740991,"y":-9007199254740991 ,',
  '"x":1.0000000000000000001,"y":"12345678901234567890","z":"a\\",12345678901234567,\\"b",',
  '"error":null,"errors":[],"success":true,',
  '"x":"\ufffd",',
  many,
  nested(498),
];
const inexact: readonly string[] = [
  '"x":[12345678901234567890],',
  '"x":[1,\t12345678901234567 ],',
  '"x":-12345678901234567890 ,',
  '"x":"a\\"b","y": 9007199254740993\n,',
  '"x":"\\\\","y":9007199254740993,',
  '"x":9007199254740992,"y":"1",',
];
const twice: readonly string[] = [
  '"x":1,"x":2,',
  '"x":1,"y":2,"\\u0078":3,',
  '"x" : {"y":[]},\n"z":"\\"",\t"x"\t:2,',
  '"x":[{}],"y":"]","x":{},',
  `"p0":1,${many}`,
  '"x y":1,"x y":1,',
  '"line2":1,"line\\u0032":2,',
  `"${"long".repeat(20)}":1,"${"long".repeat(20)}":2,`,
];
const others: readonly (readonly [string, string])[] = [
  ['"error":{"code":"x"},', "with an error in its body"],
  [`"x":"${noUtf8}",`, "not UTF-8"],
  [`"x":"\ufffd${noUtf8}",`, "not UTF-8"],
  [nested(501), "deeper than 500 levels"],
];
/** Whole bodies. */
const bodies: readonly (readonly [string, string])[] = [
  ["[]", "JSON that is not an object"],
  ["null", "JSON that is not an object"],
  ["5", "JSON that is not an object"],
  ['{"x":', "begins like JSON and may be cut short"],
  [" [1,", "begins like JSON and may be cut short"],
  [" <p>", "looks like HTML"],
  ["Sign in {", "see the error's body"],
  [" ", "empty body"],
];

const begins = (json: string, more: Partial<Wrong>): Wrong => ({
  kind: "wrong",
  property: "",
  pattern: "^\\{",
  json: `{${json}`,
  ...more,
});

export const texts: readonly Wrong[] = [
  ...right.map((json) => begins(json, { noticed: "never" })),
  ...inexact.map((json) => begins(json, { noticed: "full", says: "cannot hold exactly" })),
  ...twice.map((json) => begins(json, { says: "twice" })),
  ...others.map(([json, says]) => begins(json, { says })),
  ...bodies.map(([json, says]) => begins("", { pattern: "^.*$", json, says })),
];

/** Marks of an error in a response that is not an entity. */
export const marks: readonly Wrong[] = ['"error":"x",', '"errors":[1],', '"success":false,'].map((json) =>
  begins(json, { says: "with an error in its body" }),
);
