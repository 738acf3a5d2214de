/** The part of a file between `// shown` and `// end`, as HTML with colors. */
declare module "*?code" {
  export const html: string;
}
