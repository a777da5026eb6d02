// Text in XML, as JUnit and SVG need it.
import { visible } from './visible.js';

/** The text with everything escaped that XML 1.0 gives a meaning to, and nothing in it that XML 1.0 forbids. */
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
