// Volumes of pods that run on the simulated node of `serve`: they follow the objects that they show.
import { expect, it } from 'vitest';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { core, useServing } from '../testing/workloads.js';

const { sent, call, eventually, change } = useServing();

const logOf = async (name: string): Promise<string> => (await sent('GET', `${core}/pods/${name}/log`)).text;

/** Starts a pod that writes a line whenever what a script says changes. */
async function watch(
  name: string,
  script: string,
  volumes: AnyShape[],
  mounts: AnyShape[],
  more: AnyShape = {},
): Promise<void> {
  const loop = `old=; while true; do new="$(${script})"; if [ "$new" != "$old" ]; then echo "$new"; old="$new"; fi; sleep 0.1; done`;
  const container = { name: 'c', image: 'busybox', command: ['sh', '-c', loop], volumeMounts: mounts };
  await call('POST', `${core}/pods`, { metadata: { name, ...more }, spec: { containers: [container], volumes } });
  await eventually(`${core}/pods/${name}`, ({ status }) => status?.phase).toBe('Running');
}
/** Waits for the last lines. A script that reads several files may see some before a change, and some after it. */
const says = (name: string, ...lines: string[]) =>
  expect.poll(async () => (await logOf(name)).split('\n').slice(-lines.length - 1)).toEqual([...lines, '']);
const create = (resource: string, name: string, object: AnyShape) =>
  call('POST', `${core}/${resource}`, { metadata: { name }, ...object });

it('a ConfigMap: changed and new keys arrive together, subPath keeps what it had', async () => {
  await create('configmaps', 'settings', { data: { a: '1', gone: 'x' } });
  const mounts = [
    { name: 'v', mountPath: '/v' },
    { name: 'v', mountPath: '/sub', subPath: 'a' },
  ];
  const script = 'cat /v/a /v/..data/a /sub; echo "" $(ls /v)';
  await watch('maps', script, [{ name: 'v', configMap: { name: 'settings' } }], mounts);
  await says('maps', '111 a gone');
  await change(`${core}/configmaps/settings`, (object) => {
    object.data = { a: '2', b: 'new' };
  });
  await says('maps', '221 a b');
});

it('an optional Secret: it comes, changes and goes', async () => {
  const volume = { name: 'v', projected: { sources: [{ secret: { name: 'late', optional: true } }] } };
  await watch(
    'secrets',
    'ls /v; for f in /v/*; do cat $f 2>/dev/null; done',
    [volume],
    [{ name: 'v', mountPath: '/v' }],
  );
  await create('secrets', 'late', { stringData: { key: 'one' } });
  await says('secrets', 'key', 'one');
  await change(`${core}/secrets/late`, (object) => {
    object.data.key = Buffer.from('two').toString('base64');
  });
  await says('secrets', 'key', 'two');
  await call('DELETE', `${core}/secrets/late`);
  await says('secrets', '');
});

it('fields of the pod: labels and annotations', async () => {
  const items = [
    { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
    { path: 'note', fieldRef: { fieldPath: "metadata.annotations['note']" } },
  ];
  await watch(
    'fields',
    'cat /v/labels /v/note',
    [{ name: 'v', downwardAPI: { items } }],
    [{ name: 'v', mountPath: '/v' }],
    {
      labels: { a: 'b' },
      annotations: { note: '-1' },
    },
  );
  await says('fields', 'a="b"-1');
  await change(`${core}/pods/fields`, ({ metadata }) => {
    metadata.labels.a = 'c';
  });
  await says('fields', 'a="c"-1');
  await change(`${core}/pods/fields`, ({ metadata }) => {
    metadata.annotations.note = '-2';
  });
  await says('fields', 'a="c"-2');
});

it('a root file system that is read-only has volumes that are not', async () => {
  const container = {
    name: 'c',
    image: 'busybox',
    command: [
      'sh',
      '-c',
      'echo no > /file; echo yes > /scratch/file; cat /scratch/file; echo bye > /dev/termination-log',
    ],
    securityContext: { readOnlyRootFilesystem: true },
    volumeMounts: [{ name: 'v', mountPath: '/scratch' }],
  };
  const spec = { restartPolicy: 'Never', containers: [container], volumes: [{ name: 'v', emptyDir: {} }] };
  await call('POST', `${core}/pods`, { metadata: { name: 'read-only' }, spec });
  const last = ({ status }: AnyShape) => status?.containerStatuses?.[0].state.terminated?.message;
  await eventually(`${core}/pods/read-only`, last).toBe('bye\n');
  expect(await logOf('read-only')).toBe("sh: can't create /file: Read-only file system\nyes\n");
});
