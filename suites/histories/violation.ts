// A violation: a statement about a history that does not hold, and the requests and changes that contradict each other.
import { brief } from '../client/json.js';
import { type Change, type Entry, type History, told } from './record.js';

/** The statements about a history, by the names of their requirements. */
const statements = [
  'order',
  'effects',
  'conflicts',
  'failed-writes',
  'reads',
  'lists',
  'pages',
  'exact-lists',
  'watches',
  'selected-watches',
] as const;

export type Statement = (typeof statements)[number];

export interface Violation {
  readonly statement: Statement;
  readonly text: string;
  readonly entries: readonly Entry[];
  readonly changes: readonly Change[];
}

/** Returns a violation with the requests and changes that are there. */
export const violation = (
  statement: Statement,
  text: string,
  entries: readonly (Entry | undefined)[],
  changes: readonly (Change | undefined)[] = [],
): Violation => ({
  statement,
  text,
  entries: entries.flatMap((entry) => entry ?? []),
  changes: changes.flatMap((change) => change ?? []),
});

const toldChange = ({ index, type, name, version }: Change): string =>
  `change ${index} of the order: ${type} ${name} at version ${version}`;

/** Returns the shortest story of a violation: its requests by their times, and its changes. */
export function story({ text, entries, changes }: Violation, { entries: all }: History, seed: string): string {
  const begin = Math.min(...all.map(({ sent }) => sent));
  const lines = [...entries].toSorted((one, other) => one.sent - other.sent).map((entry) => told(entry, begin));
  const told1 = changes.map(toldChange);
  return [text, ...lines, ...told1, ...curlLines(entries), seed].join('\n  ');
}

/** Returns curl lines that send the writes of a story again, to a server whose URL and token the shell has. */
function curlLines(entries: readonly Entry[]): string[] {
  return entries
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, type, sentBody }) => {
      const body =
        sentBody === undefined ? '' : ` -H 'Content-Type: ${type}' --data-binary ${word(JSON.stringify(sentBody))}`;
      return `curl -sS -X ${method} -H "Authorization: Bearer $TOKEN" "$SERVER"${word(path)}${body}`;
    });
}

const word = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const shown = (value: unknown): string => brief(value);
