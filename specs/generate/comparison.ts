/** Returns the differences between `generated` and the output of the generator, in words. */
export function differences(files: Map<string, string>, present: Map<string, string>): string[] {
  const changed = [...files].filter(([path, code]) => present.get(path) !== code);
  const stale = [...present.keys()].filter((path) => !files.has(path));
  return [
    ...changed.map(([path]) => `${path} is not what npm run generate writes`),
    ...stale.map((path) => `${path} is not generated any more`),
  ];
}
