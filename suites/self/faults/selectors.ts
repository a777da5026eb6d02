// Servers that break the selectors chapter.
import { eachEvent, type Fault, failure, type Passing, reply } from './parts.js';

const list = '› GET /api/v1/namespaces/{namespace}/configmaps';
const one = '› GET /api/v1/watch/namespaces/{namespace}/limitranges/{name}';
const remove = '› DELETE /api/v1/namespaces/{namespace}/configmaps';

/** A request with its query changed. */
export const asks =
  (method: string, change: (query: URLSearchParams) => void): NonNullable<Fault['request']> =>
  (passing) => {
    if (passing.method !== method || !passing.path.includes('?')) return passing;
    const url = new URL(passing.path, 'http://server');
    change(url.searchParams);
    return { ...passing, path: url.pathname + url.search };
  };

/** Understands a selector as another one. */
const reads = (
  parameter: 'labelSelector' | 'fieldSelector',
  change: (selector: string) => string | undefined,
  method = 'GET',
): NonNullable<Fault['request']> =>
  asks(method, (query) => {
    const selector = query.get(parameter);
    const changed = selector === null ? undefined : change(selector);
    if (changed === undefined) query.delete(parameter);
    else query.set(parameter, changed);
  });

const first = (selector: string): string => selector.split(',')[0] ?? '';

/** A server that breaks one requirement on one list. */
const onList = (
  requirement: string,
  name: string,
  parameter: 'labelSelector' | 'fieldSelector',
  change: (selector: string) => string | undefined,
): Fault => ({
  name,
  grep: `selectors.${requirement} ${list}`,
  fails: [`selectors.${requirement}`],
  request: reads(parameter, change),
});

const isMalformed = ({ path }: Passing): boolean =>
  /tier(%20|\+)in($|%20x|%20\(a$)|%3D%3D%3D|=%3D%3D|%2C%2C%2C|b%20c|Bad\*|bogus|metadata\.(name$|labels|uid)|a%3Db$|nope|kind%3D/.test(
    path,
  );

export const selectorsFaults: readonly Fault[] = [
  {
    name: 'watches one object whatever its labels are',
    grep: `selectors.watch-one-labels ${one}`,
    fails: ['selectors.watch-one-labels'],
    request: reads('labelSelector', () => undefined),
  },
  {
    name: 'tells nothing of one object where labels are selected',
    grep: `selectors.watch-one-labels ${one}`,
    fails: ['selectors.watch-one-labels'],
    watch: eachEvent((event, { path }) => (path.includes('labelSelector') ? undefined : event)),
  },
  {
    name: 'watches one object whatever its fields are',
    grep: `selectors.watch-one-fields ${one}`,
    fails: ['selectors.watch-one-fields'],
    request: reads('fieldSelector', () => undefined),
  },
  {
    name: 'ignores label selectors',
    grep: 'configmaps',
    chapters: ['selectors'],
    fails: [
      'selectors.both',
      'selectors.encoded',
      'selectors.field-and',
      'selectors.field-name',
      'selectors.field-not-equals',
      'selectors.label-and',
      'selectors.label-empty-value',
      'selectors.label-equals',
      'selectors.label-exists',
      'selectors.label-in',
      'selectors.label-malformed',
      'selectors.label-not-equals',
      'selectors.label-not-exists',
      'selectors.label-not-in',
      'selectors.label-prefix',
      'selectors.labels',
      'selectors.watch-malformed',
    ],
    request: reads('labelSelector', () => undefined),
  },
  {
    name: 'ignores field selectors',
    grep: 'configmaps',
    chapters: ['selectors'],
    fails: [
      'selectors.both',
      'selectors.encoded',
      'selectors.field-and',
      'selectors.field-malformed',
      'selectors.field-name',
      'selectors.field-not-equals',
      'selectors.field-unsupported',
      'selectors.fields',
      'selectors.watch-malformed',
    ],
    request: reads('fieldSelector', () => undefined),
  },
  {
    name: 'selects by no field',
    grep: 'configmaps',
    chapters: ['selectors'],
    fails: ['selectors.field-name'],
    conformant: true,
    request: (passing) => (/fieldSelector=./.test(passing.path) ? failure(400, 'BadRequest') : passing),
  },
  onList('label-equals', 'takes == for !=', 'labelSelector', (text) => text.replace('==', '!=')),
  onList('label-not-equals', 'wants the label for !=', 'labelSelector', (text) => text.replace(/([^,]+)!=/, '$1,$1!=')),
  onList('label-not-in', 'wants the label for notin', 'labelSelector', (text) =>
    text.replace(/([^, ]+) notin/, '$1,$1 notin'),
  ),
  onList('label-in', 'reads the first value of a set only', 'labelSelector', (text) => text.replace(/, [^)]*/, '')),
  onList('label-exists', 'takes an empty value for none', 'labelSelector', (text) =>
    /^[^=!(]+$/.test(text) ? `${text},${text}!=` : text,
  ),
  onList('label-not-exists', 'takes !key for an empty value', 'labelSelector', (text) =>
    text.replace(/!([^,=]+)$/, '$1='),
  ),
  onList('label-empty-value', 'takes key= for !key', 'labelSelector', (text) => text.replace(/^([^=]+)=$/, '!$1')),
  onList('label-and', 'reads the first requirement of labels only', 'labelSelector', first),
  onList('label-prefix', 'does not look at the prefix of a key', 'labelSelector', (text) =>
    text.replace('example.com/', ''),
  ),
  onList('field-and', 'reads the first requirement of fields only', 'fieldSelector', first),
  onList('field-not-equals', 'takes != for = in fields', 'fieldSelector', (text) => text.replace('!=', '=')),
  onList('field-name', 'does not know metadata.namespace', 'fieldSelector', (text) =>
    text.startsWith('metadata.namespace') ? undefined : text,
  ),
  {
    name: 'reads one of two selectors only',
    grep: `selectors.both ${list}`,
    fails: ['selectors.both'],
    request: asks('GET', (query) => query.has('labelSelector') && query.delete('fieldSelector')),
  },
  {
    name: 'takes an empty selector for nothing',
    grep: `selectors.everything ${list}`,
    fails: ['selectors.everything'],
    request: reads('labelSelector', (text) => text || 'nobody-has-this'),
  },
  {
    name: 'does not read + as a space',
    grep: `selectors.encoded ${list}`,
    fails: ['selectors.encoded'],
    request: (passing) => ({ ...passing, path: passing.path.replaceAll('+', '%2B') }),
  },
  {
    name: 'lists everything for what it does not understand',
    grep: `configmaps`,
    chapters: ['selectors'],
    fails: [
      'selectors.label-malformed',
      'selectors.field-malformed',
      'selectors.field-unsupported',
      'selectors.watch-malformed',
    ],
    request: (passing) =>
      passing.method === 'GET' && isMalformed(passing)
        ? { ...passing, path: first(passing.path.replace('?', ',')) }
        : passing,
  },
  {
    name: 'deletes everything for what it does not understand',
    grep: `configmaps`,
    chapters: ['selectors'],
    fails: ['selectors.delete-collection-malformed'],
    request: (passing) =>
      passing.method === 'DELETE' && isMalformed(passing)
        ? { ...passing, path: first(passing.path.replace('?', ',')) }
        : passing,
    // It even denies it.
    reply: (returning, passing) =>
      passing.method === 'DELETE' && isMalformed(passing) ? failure(400, 'BadRequest') : returning,
  },
  {
    name: 'takes the phase of every namespace for another',
    grep: 'selectors.field-of-kind › GET /api/v1/namespaces',
    fails: ['selectors.field-of-kind'],
    request: reads('fieldSelector', (text) => text.replace('status.phase=Active', 'status.phase!=Active')),
  },
  {
    name: 'does not select components',
    grep: 'selectors.component-statuses',
    fails: ['selectors.component-statuses'],
    request: reads('fieldSelector', () => undefined),
  },
  {
    name: 'deletes by the first requirement of labels only',
    grep: `selectors.delete-collection-labels ${remove}`,
    fails: ['selectors.delete-collection-labels'],
    request: reads('labelSelector', first, 'DELETE'),
  },
  {
    name: 'deletes without a look at the fields',
    grep: `selectors.delete-collection-fields ${remove}`,
    fails: ['selectors.delete-collection-fields'],
    request: reads('fieldSelector', () => undefined, 'DELETE'),
  },
  {
    name: 'says that it emptied a namespace',
    grep: `selectors.delete-collection-everything ${remove}`,
    fails: ['selectors.delete-collection-everything'],
    request: (passing) =>
      passing.method === 'DELETE' && /configmaps$/.test(passing.path)
        ? reply(200, { kind: 'ConfigMapList', apiVersion: 'v1', items: [] })
        : passing,
  },
  {
    name: 'watches everything where it does not understand',
    grep: 'selectors.watch-malformed › GET /api/v1/watch/nodes',
    fails: ['selectors.watch-malformed'],
    request: (passing) => ({ ...passing, path: passing.path.replace(/(label|field)Selector=[^&]*/, 'ignored=yes') }),
  },
];
