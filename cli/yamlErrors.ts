// Where a YAML text is wrong, for messages that name the line.
import type { YAMLError } from 'yaml';

/** Returns where an error is: what is not closed is reported behind its end, which may be the next line. */
export function yamlOffset(
  { code, message, pos: [offset] }: Pick<YAMLError, 'code' | 'message' | 'pos'>,
  text: string,
): number {
  const isOpen = code === 'BAD_INDENT' || message.startsWith('Missing closing');
  return isOpen ? Math.max(0, text.slice(0, offset).trimEnd().length - 1) : offset;
}
