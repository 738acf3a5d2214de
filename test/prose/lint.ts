import { createRequire } from "node:module";
import { TextlintKernel, type TextlintPluginCreator, type TextlintRuleModule } from "@textlint/kernel";
import type { Passage } from "./passages.ts";
import { type ProseRule, proseRules } from "./rules.ts";

/** A sentence that a rule found. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

// required, because Node and vitest import the default export of this CommonJS module differently
const require = createRequire(import.meta.url);
const markdown = require("@textlint/textlint-plugin-markdown") as {
  readonly default: TextlintPluginCreator;
};

const kernel = new TextlintKernel();

/** Returns what the rules find in a passage, in the order of its lines. */
export async function lint({ file, line, text }: Passage): Promise<Finding[]> {
  const { messages } = await kernel.lintText(text, {
    ext: ".md",
    filePath: file,
    plugins: [{ pluginId: "markdown", plugin: markdown.default }],
    rules: proseRules.map((rule) => ({ ruleId: rule.id, rule: textlintRule(rule) })),
  });
  return messages.map((found) => ({
    file,
    line: line + found.loc.start.line - 1,
    rule: found.ruleId,
    message: found.message,
  }));
}

function textlintRule({ pattern, advice, notInHeadings }: ProseRule): TextlintRuleModule {
  return ({ Syntax, RuleError, report, getSource, locator }) => {
    const search = (node: Parameters<typeof getSource>[0] & object): void => {
      const source = withoutCode(getSource(node));
      for (const { 0: found, index } of source.matchAll(pattern)) {
        const quoted = found.replaceAll(/\s+/g, " ").slice(0, 60);
        const padding = locator.range([index, index + found.length]);
        report(node, new RuleError(`"${quoted}": ${advice}`, { padding }));
      }
    };
    const headings = notInHeadings === true ? {} : { [Syntax.Header]: search };
    return { [Syntax.Paragraph]: search, [Syntax.TableCell]: search, ...headings };
  };
}

/** Blanks out code, the targets of links, HTML comments and names of gaps and files, so that every index stays. */
function withoutCode(text: string): string {
  const blank = (found: string): string => "_".repeat(found.length);
  return text
    .replaceAll(/`[^`]*`/g, blank)
    .replaceAll(/(?<=\])\([^)]*\)/g, blank)
    .replaceAll(/<!--[\s\S]*?-->/g, blank)
    .replaceAll(/\b[a-z]+(?:-[a-z]+)*(?:\.[a-z]+(?:-[a-z]+)*)+\b/g, blank);
}
