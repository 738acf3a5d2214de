// Writes all messages of errors and the command line to `api/messages.txt`, so that they can be read together.
import { writeFileSync } from "node:fs";
import { messagesFile, messagesReport } from "./report.ts";

const report = messagesReport();
writeFileSync(messagesFile, report);
console.log(
  `api/messages.txt: ${report.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length} messages`,
);
