// The suite with all encodings in all places; `npm test` takes one of ten.
process.env["ALL_ENCODINGS"] = "1";
await import("./secrets.test.ts");
