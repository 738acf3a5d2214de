import { describe, expect, it } from "vitest";
import { readAudit } from "./advisories.ts";

describe("the audit of the packages", () => {
  it("passes without known vulnerabilities", () => {
    expect(readAudit('{"auditReportVersion":2,"vulnerabilities":{},"metadata":{}}')).toEqual({
      known: 0,
      line: "no known vulnerability",
    });
  });

  it("names each package with a known vulnerability", () => {
    const vulnerabilities = {
      ky: { severity: "high", range: "<2.1.1" },
      zod: { severity: "low", range: "*" },
    };
    expect(readAudit(JSON.stringify({ vulnerabilities }))).toEqual({
      known: 2,
      line: "known vulnerabilities in ky <2.1.1 (high), zod * (low)",
    });
  });

  it.each([
    ['{"message":"405 Method Not Allowed","statusCode":405,"error":{"summary":""}}', " (status 405)"],
    ['{"error":{"code":"ENOTFOUND"},"vulnerabilities":{}}', ""],
    ["<html>a proxy</html>", ""],
    ["null", ""],
    ["", ""],
  ])("says that nothing was checked after the response %j", (output, why) => {
    expect(readAudit(output)).toEqual({
      known: undefined,
      line: `NOT CHECKED: the registry did not answer${why}`,
    });
  });
});
