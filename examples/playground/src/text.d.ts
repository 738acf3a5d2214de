/** The text of a file. */
declare module "*?text" {
  export const text: string;
}
