/** A pattern of words that the project does not use, with a sentence that it finds and a plain one that it does not. */
export interface ProseRule {
  readonly id: string;
  readonly pattern: RegExp;
  /** The phrase to write instead. */
  readonly advice: string;
  readonly bad: string;
  readonly good: string;
  /** Whether headings are exempt. */
  readonly notInHeadings?: true;
}

/** The start of a sentence: of the text, or after the end of the sentence before. */
const START = String.raw`(?:^|(?<=[.!?:;]["\u0060)]?\s+))`;
const END = String.raw`(?=["\u0060)]?(?:[.;:!?]|$))`;

function rule(expression: string, flags = "g"): RegExp {
  return new RegExp(
    expression.replaceAll("START", START).replaceAll("END", END).replaceAll(" ", "\\s+"),
    flags,
  );
}

/**
 * The patterns of plain English that the project has agreed on. A rule is here only if it finds real sentences and
 * needs no exceptions.
 */
export const proseRules: readonly ProseRule[] = [
  {
    id: "headless-clause",
    pattern: rule("START(?:What|Whatever|Whoever|Who|How(?! to )|Why) ?[^.!?]*(?:[.!]|$)"),
    advice: "Begin the sentence with a noun or a verb.",
    bad: "What else it is, is thrown.",
    good: "Other errors are thrown. What is thrown? How to call it is documented.",
    notInHeadings: true,
  },
  {
    id: "where-clause",
    pattern: rule("START(?:Where|Wherever) [^,.!?]*(?:[.!]|$)"),
    advice: "Begin the sentence with a noun: the place, the URL, the folder.",
    bad: "Where a redirect pointed to.",
    good: "The target of a redirect. Where a list has no pages, the call sends one request.",
    notInHeadings: true,
  },
  {
    id: "is-no",
    pattern: rule(
      "(?<![Tt]here )\\b(?:is|are|was|were|be) (?:none\\b(?! of)|no (?!longer\\b|more\\b|later\\b|\\w+er than\\b))",
    ),
    advice: 'Write "is not a …", "has no …" or "does not …".',
    bad: "The value is no count, and the list is none.",
    good: "The value is not a count, there is no list, and it is no longer read.",
  },
  {
    id: "has-none",
    pattern: rule("\\b(?:has|have|had|gave|gives|names|named|sends|sent|says|knows) none\\b(?! of)"),
    advice: 'Repeat the noun: "has no cursor".',
    bad: "Undefined where the server gave none.",
    good: "Undefined if the server gave no ID. It has none of these properties.",
  },
  {
    id: "of-own",
    pattern: rule("\\bof (?:(?:its|his|their|our|your|one's|my) own|theirs|ours)\\b"),
    advice: 'Write "its own …", "a separate …" or "another …".',
    bad: "A class without a mark of its own is compared by name.",
    good: "A class without its own mark is compared by name.",
  },
  {
    id: "trailing-alone",
    pattern: rule("\\b(?:alone|too)END"),
    advice: 'Write "only" or "also" before the word that it belongs to.',
    bad: "It covers the body too.",
    good: "It also covers the body. The list is too long to send.",
  },
  {
    id: "nothing-but",
    pattern: rule("\\b(?:nothing|none|all|any|every|everything|no one|anything) (?:\\w+ )?but (?!also\\b)"),
    advice: 'Write "only" or "except".',
    bad: "It holds nothing but a file name, and every property but the body.",
    good: "It holds only a file name. All are read, but slowly.",
  },
  {
    id: "archaic-phrase",
    pattern: rule(
      "\\b(?:at hand|goes on|went on|of whatever|whichever|whosoever|after the manner|hitherto|thereof|therein|wherein|worn off|nearer than)\\b",
    ),
    advice: 'Write "available", "continues", "any" or the standard term.',
    bad: "The walk goes on, of whatever kind it is.",
    good: "The walk continues, of any kind.",
  },
  {
    id: "stands",
    pattern: rule("\\b(?:stands|stood) (?!for\\b)"),
    advice: 'Write "is".',
    bad: "The rest stands in the property.",
    good: "The rest is in the property, which stands for the list.",
  },
  {
    id: "wants",
    pattern: rule("\\b(?:wants|want (?:an?|the|no)) "),
    advice: 'Write "needs", "requires" or "expects".',
    bad: "The measurement wants an idle machine.",
    good: "The measurement needs an idle machine, if you want to repeat it.",
  },
  {
    id: "answer",
    pattern: rule("\\banswer(?:s|ed|ing)?\\b", "gi"),
    advice: 'Write "response", "respond", "returns" or "reading".',
    bad: "The answer has no body.",
    good: "The response has no body.",
  },
  {
    id: "member",
    pattern: rule("\\bmembers?\\b", "gi"),
    advice: 'Write "property" or "field".',
    bad: "Every member of the object is checked.",
    good: "Every property of the object is checked.",
  },
  {
    id: "told",
    pattern: rule("\\b(?:is|are|was|be|been|being) told\\b"),
    advice: 'Write "receives", "is configured" or "is documented".',
    bad: "The hook is told of each change.",
    good: "The hook receives each change.",
  },
  {
    id: "so-many",
    pattern: rule("\\b(?:at most|only|no more than) so (?:many|much|often|long)\\b"),
    advice: "Name the quantity.",
    bad: "At most so many requests are in flight.".replace("At", "There are at"),
    good: "The largest number of requests in flight.",
  },
  {
    id: "placeholder-title",
    pattern: /^(?:[%$][\w.#]+\W*)+$/g,
    advice: "Write a sentence with a subject and a verb around the placeholder.",
    bad: "%s: $reading",
    good: "rejects the body %s",
  },
  {
    id: "repeated-word",
    pattern: rule("\\b([a-z]+) \\1\\b", "gi"),
    advice: "Remove one of the two words.",
    bad: "The the list is empty.",
    good: "The list is empty.",
  },
];
