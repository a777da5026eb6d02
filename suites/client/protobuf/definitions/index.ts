// The suite's own list of protobuf fields: the number and the type of each field in the published definitions.
//
// The numbers are those of the generated.proto files of Kubernetes 1.5. A + marks a later field, with its number from
// then on. WatchEvent is called Event in those files. A test compares the field table with this list. The suite reads
// and writes only by this list, so that the suite does not agree with a server whose table is wrong.
import { coreMessages } from './core.js';
import { groupsMessages } from './groups.js';
import { metaMessages } from './meta.js';
import { podsMessages } from './pods.js';
import { volumesMessages } from './volumes.js';

/** The published definition of a field of a message. */
interface Definition {
  readonly number: number;
  /** The type as in a .proto file: `string`, `bool`, `Container[]`, `map Quantity`. */
  readonly type: string;
}

/** Message → field → definition. Names of extensions/v1beta1 that another group also has begin with `extensions.`. */
export const definitions: ReadonlyMap<string, ReadonlyMap<string, Definition>> = new Map(
  [metaMessages, coreMessages, podsMessages, volumesMessages, groupsMessages].flatMap(read),
);

/** Returns the number of a field. Every list has its metadata at 1 and its items at 2. Throws for an unlisted field. */
export function fieldNumberOf(message: string, field: string): number {
  const known = definitions.get(message)?.get(field)?.number;
  if (known !== undefined) return known;
  if (message.endsWith('List') && field === 'metadata') return 1;
  if (message.endsWith('List') && field === 'items') return 2;
  throw new Error(`no protobuf number is listed for ${message}.${field}`);
}

function read(text: string): [string, Map<string, Definition>][] {
  const lines = text.replaceAll('\n  ', ' ').split('\n').filter(Boolean);
  return lines.map((line) => {
    const end = line.indexOf(':');
    const fields = line
      .slice(end + 1)
      .split(';')
      .map(readField);
    return [line.slice(0, end), new Map(fields)];
  });
}

function readField(text: string): [string, Definition] {
  const [, number, name, type] = /^ \+?(\d+) (\w+) (.+)$/.exec(text) ?? [];
  if (number === undefined || name === undefined || type === undefined) throw new Error(`no field: ${text}`);
  return [name, { number: Number(number), type }];
}
