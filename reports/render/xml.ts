// Text in XML, for JUnit and SVG.
import { visible } from '../safeText.js';

/** Escapes all characters with a meaning in XML 1.0, and removes characters that XML 1.0 forbids. */
export function escapeXml(text: string): string {
  return visible(text).replace(/[<>&"'\n\t]/g, (character) => entities[character] ?? character);
}

const entities: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\t': '&#9;',
};
