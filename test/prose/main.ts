// Lints the prose of documents, comments, OpenAPI descriptions, messages and names of tests:
// `npm run lint:prose [-- FILE…]`.
import { lint } from "./lint.ts";
import { allPassages } from "./passages.ts";

const wanted = process.argv.slice(2);
const passages = allPassages().filter(
  ({ file }) => wanted.length === 0 || wanted.some((path) => file.startsWith(path)),
);
const findings = (await Promise.all(passages.map((passage) => lint(passage)))).flat();

for (const { file, line, rule, message } of findings) console.error(`${file}:${line} ${rule}: ${message}`);
console.log(`${passages.length} passages, ${findings.length} findings`);
if (findings.length > 0 || passages.length === 0) process.exitCode = 1;
