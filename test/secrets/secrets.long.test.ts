// The suite with one of three encodings in each place; `npm test` takes one of ten. ENCODINGS=1 takes all.
process.env["ENCODINGS"] ??= "3";
await import("./secrets.test.ts");
