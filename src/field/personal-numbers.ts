/** Names of numbers that are personal data or secrets: places, phone numbers, login codes. */
const PERSONAL =
  /^(?:lat|lng|lon|latitude|longitude|phone.*|.*phone|mobile|pesel|nip|ssn|age|.*(?:login_?code|pass(?:word|code)|pin|token|secret))$/i;

/** Whether the numbers of a property are personal data or secrets. */
export function isPersonalNumber(name: string): boolean {
  return PERSONAL.test(name);
}
