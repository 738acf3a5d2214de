import { describe, expect, it } from "vitest";
import { readAudit } from "./advisories.ts";

describe("an audit", () => {
  it("of packages without a known vulnerability passes", () => {
    expect(readAudit('{"auditReportVersion":2,"vulnerabilities":{},"metadata":{}}')).toEqual({
      known: 0,
      line: "audit: the registry knows no vulnerability of what users install",
    });
  });

  it("names each package with one", () => {
    const vulnerabilities = {
      ky: { severity: "high", range: "<2.1.1" },
      zod: { severity: "low", range: "*" },
    };
    expect(readAudit(JSON.stringify({ vulnerabilities }))).toEqual({
      known: 2,
      line: "audit: known vulnerabilities in ky <2.1.1 (high), zod * (low)",
    });
  });

  it.each([
    ['{"message":"405 Method Not Allowed","statusCode":405,"error":{"summary":""}}', " (status 405)"],
    ['{"error":{"code":"ENOTFOUND"},"vulnerabilities":{}}', ""],
    ["<html>a proxy</html>", ""],
    ["null", ""],
    ["", ""],
  ])("that got %j passes and says that nothing was checked", (output, why) => {
    expect(readAudit(output)).toEqual({
      known: 0,
      line: `audit: nothing was checked, the registry did not answer${why}`,
    });
  });
});
