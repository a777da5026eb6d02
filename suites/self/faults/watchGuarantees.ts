// Servers that break a guarantee of a watch, each in its own way, while writers write.
import { at } from '../../support/json.js';
import { answering, eachEvent, type Fault, isList, line, metadata, type Passing, type PassingEvent } from './parts.js';

const collection = 'GET /api/v1/namespaces/{namespace}/configmaps';
const only = (requirement: string): Pick<Fault, 'grep' | 'fails' | 'chapters'> => ({
  grep: `watchGuarantees.${requirement} › ${collection}`,
  fails: [`watchGuarantees.${requirement}`],
  chapters: ['watchGuarantees'],
});

const isWatch = ({ path }: Passing): boolean => /[?&]watch=true/.test(path);
const isConfigMap = ({ object }: PassingEvent): boolean => object.kind === 'ConfigMap';

/** A request without a parameter of its query. */
const dropping =
  (parameter: string): NonNullable<Fault['request']> =>
  (passing) => {
    const [path = '', query = ''] = passing.path.split('?');
    const parameters = new URLSearchParams(query);
    if (isWatch(passing)) parameters.delete(parameter);
    return { ...passing, path: `${path}?${parameters}` };
  };

export const watchGuaranteeFaults: readonly Fault[] = [
  {
    name: 'tells everything again, whatever version a watch goes on from',
    ...only('from-version'),
    request: dropping('resourceVersion'),
  },
  {
    name: 'lists an older state than its version says',
    ...only('list-then-watch'),
    reply: answering((body) => {
      if (!isList(body)) return body;
      const resourceVersion = String(Number(at(body, 'metadata', 'resourceVersion')) + 1);
      return { ...body, metadata: { ...metadata(body), resourceVersion } };
    }),
  },
  {
    name: 'tells a watch without a version nothing of what was there',
    ...only('from-beginning'),
    watch: ({ path }) => {
      const skips = !path.includes('resourceVersion=');
      let begun = false;
      return (event) => {
        begun ||= event !== undefined && event.type !== 'ADDED';
        return [skips && !begun ? '' : line(event)];
      };
    },
  },
  {
    name: 'tells removals with the version of the change before',
    grep: collection,
    chapters: ['watchGuarantees'],
    fails: ['watchGuarantees.ordered'],
    conformant: true,
    watch: () => {
      const versions = new Map<string, unknown>();
      return (event) => {
        if (event === undefined) return [];
        const { name, resourceVersion } = metadata(event.object);
        const before = versions.get(String(name));
        versions.set(String(name), resourceVersion);
        if (event.type !== 'DELETED' || typeof before !== 'string') return [line(event)];
        const object = { ...event.object, metadata: { ...metadata(event.object), resourceVersion: before } };
        return [line({ ...event, object })];
      };
    },
  },
  {
    name: 'tells two events in the wrong order',
    ...only('ordered'),
    watch: () => {
      let held: PassingEvent | undefined;
      let count = 0;
      return (event) => {
        count += 1;
        if (count === 3 && event !== undefined) {
          held = event;
          return [];
        }
        const sent = [line(event), line(held)];
        held = undefined;
        return sent;
      };
    },
  },
  {
    name: 'tells a change twice',
    ...only('unique'),
    watch: () => (event) => [line(event), event?.type === 'MODIFIED' ? line(event) : ''],
  },
  {
    name: 'leaves out a change that another one follows',
    ...only('reliable'),
    watch: () => {
      let changes = 0;
      return (event) => {
        if (event?.type === 'MODIFIED') changes += 1;
        return [event?.type === 'MODIFIED' && changes === 2 ? '' : line(event)];
      };
    },
  },
  {
    name: 'mixes two states of an object in an event',
    ...only('atomic'),
    watch: () => {
      let before: PassingEvent | undefined;
      return (event) => {
        const annotations = before && metadata(before.object).annotations;
        if (event !== undefined && isConfigMap(event)) before = event;
        if (event?.type !== 'MODIFIED' || annotations === undefined) return [line(event)];
        const object = { ...event.object, metadata: { ...metadata(event.object), annotations } };
        return [line({ type: event.type, object })];
      };
    },
  },
  {
    name: 'skips a change where a watch goes on',
    ...only('resumable'),
    watch: () => {
      let first = true;
      return (event) => {
        const skipped = first;
        first = false;
        return [skipped ? '' : line(event)];
      };
    },
  },
  {
    name: 'ignores the selector of a watch',
    ...only('filtered'),
    request: dropping('labelSelector'),
  },
  {
    name: 'forgets an object that leaves the selection',
    ...only('filtered'),
    watch: eachEvent((event) => (event.type === 'DELETED' ? undefined : event)),
  },
  {
    name: 'does not end a watch when its time is over',
    ...only('bounded'),
    request: dropping('timeoutSeconds'),
  },
  {
    name: 'breaks a watch off in the middle of an event when its time is over',
    ...only('bounded'),
    watch: () => (event) => (event === undefined ? ['{"type":"ADDED","obj'] : [line(event)]),
  },
  {
    name: 'ends a watch that asked for no time at once',
    grep: 'watchGuarantees.unbounded › GET /api/v1/',
    chapters: ['watchGuarantees'],
    fails: ['watchGuarantees.unbounded'],
    request: (passing) =>
      isUnbounded(passing) ? { status: 200, headers: { 'content-type': 'application/json' }, body: '' } : passing,
  },
  {
    name: 'tells one watcher at a time',
    grep: 'watchGuarantees.slow-reader',
    chapters: ['watchGuarantees'],
    fails: ['watchGuarantees.slow-reader'],
    watch: (() => {
      let watchers = 0;
      return () => {
        watchers += 1;
        const waits = watchers > 1;
        return (event) => (waits ? new Promise(() => {}) : [line(event)]);
      };
    })(),
  },
];

const isUnbounded = (passing: Passing): boolean =>
  passing.path.includes('/watch/') && !passing.path.includes('timeoutSeconds');
