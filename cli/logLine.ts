// Text from other programs as part of a log line.

/** The most characters of the text in a line. */
const longest = 2000;

/** Returns the text on one line, cut, with control characters escaped. */
export function logLine(text: string): string {
  const shown = text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text;
  return shown.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  );
}
