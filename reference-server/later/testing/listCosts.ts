// Costs of lists: many objects, times each format of a list, times selectors as long as a request may be.
import type { RunningServer } from '../../server.js';
import type { Work } from '../../testing/costs/growth.js';
import { ask } from '../../testing/standIn.js';

/** The objects of an input: one for this many bytes. */
const each = 256;
/** The characters of a selector: the head of a request has at most 64 KB. */
const length = 60_000;

const meta = 'g=meta.k8s.io;v=v1';
const formats: Readonly<Record<string, string>> = {
  JSON: 'application/json',
  YAML: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  'a table': `application/json;as=Table;${meta}`,
  'a table with objects': `application/json;as=Table;${meta}`,
  'only metadata': `application/json;as=PartialObjectMetadataList;${meta}`,
};

/** Repeats an item with a number until the text is long enough. */
function repeated(item: (index: number) => string, separator: string): string {
  const items: string[] = [];
  for (let index = 0, sum = 0; sum < length; index += 1)
    sum += (items[items.push(item(index)) - 1] as string).length + 1;
  return items.join(separator);
}

const selectors: Readonly<Record<string, string>> = {
  none: '',
  'one of thousands of values': `labelSelector=${encodeURIComponent('n in (1,')}${repeated((n) => `x${n}`, ',')})`,
  'none of thousands of values': `labelSelector=${encodeURIComponent('n notin (')}${repeated((n) => `x${n}`, ',')})`,
  'thousands of absent labels': `labelSelector=${repeated((n) => `!x${n}`, ',')}`,
  'thousands of other names': `fieldSelector=${repeated((n) => `metadata.name!=x${n}`, ',')}`,
  'a long value': `labelSelector=n!=x,m!=${'x'.repeat(60)}`,
};

/** Returns the works on a server, which gets a namespace for each number of objects. */
export function listWorks(server: RunningServer): readonly Work[] {
  const filled = new Map<number, Promise<string>>();
  const collectionOf = (count: number): Promise<string> => {
    const made = filled.get(count) ?? fill(server, count);
    filled.set(count, made);
    return made;
  };
  return Object.entries(selectors).flatMap(([selector, query]) =>
    Object.entries(formats)
      .filter(([format]) => selector === 'none' || /JSON|^a table$/.test(format))
      .map(([format, accept]) => ({
        name: `a list as ${format}, selected by ${selector}`,
        async prepare(bytes) {
          const path = await collectionOf(Math.ceil(bytes / each));
          const whole = `${path}?${query}${format.endsWith('objects') ? '&includeObject=Object' : ''}`;
          return async () => {
            const { status, text } = await ask(server, whole, { headers: { accept } });
            if (status !== 200) throw new Error(`${format}, ${selector}: ${status} ${text.slice(0, 200)}`);
            return text.length;
          };
        },
      })),
  );
}

/** Creates a namespace with so many objects. Returns the path of their collection. */
async function fill(server: RunningServer, count: number): Promise<string> {
  const name = `of-${count}`;
  const post = (path: string, metadata: object) =>
    ask(server, path, { method: 'POST', body: JSON.stringify({ metadata }) });
  await post('/api/v1/namespaces', { name });
  const path = `/api/v1/namespaces/${name}/configmaps`;
  for (let index = 0; index < count; index += 1) await post(path, { name: `m${index}`, labels: { n: '1', m: '2' } });
  return path;
}
