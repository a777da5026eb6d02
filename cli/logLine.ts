// What others said, as part of a line of the log.

/** Characters of it that a line keeps. */
const longest = 2000;

/** The text on one line, without what a terminal would obey, and cut. */
export function logLine(text: string): string {
  const shown = text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text;
  return shown.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  );
}
