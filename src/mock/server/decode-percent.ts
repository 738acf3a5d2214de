/** Decodes percent-encoded text. Text with a percent sign that is not part of an escape stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
