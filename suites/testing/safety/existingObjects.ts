// Objects that exist on a server before a run: creates them, and reads them whole.
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { resources } from '../../../matrix/api/index.js';
import type { Running } from '../referenceServer.js';

const meta = (name: string, namespace?: string) => ({
  name,
  ...(namespace && { namespace }),
  labels: { app: 'theirs' },
});
const data = { data: { precious: 'yes' } };
const pod = { spec: { containers: [{ name: 'main', image: 'theirs' }] } };
const volume = {
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/theirs' } },
};

type ExistingObject = readonly [plural: string, kind: string, namespace: string | undefined, rest: object];
const objects: readonly ExistingObject[] = [
  ['nodes', 'Node', undefined, {}],
  ['persistentvolumes', 'PersistentVolume', undefined, volume],
  ['namespaces', 'Namespace', undefined, {}],
  ...['default', 'kube-system', 'theirs'].flatMap((namespace): ExistingObject[] => [
    ['configmaps', 'ConfigMap', namespace, data],
    ['secrets', 'Secret', namespace, {}],
    ['pods', 'Pod', namespace, pod],
    ['services', 'Service', namespace, { spec: { ports: [{ port: 80 }] } }],
    ['serviceaccounts', 'ServiceAccount', namespace, {}],
  ]),
];

/** Sends a request with the token of the server's administrator. */
async function send({ token }: Running, pool: Pool, method: 'GET' | 'POST', path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const reply = await pool.request({ method, path, headers, body: body ? JSON.stringify(body) : null });
  return { status: reply.statusCode, body: (await reply.body.json()) as { readonly items?: readonly Item[] } };
}

/** Calls `act` with connections to a server. */
async function connected<T>({ url, ca }: Running, act: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = new Pool(url, { connect: { ca }, connections: 4 });
  try {
    return await act(pool);
  } finally {
    await pool.close();
  }
}

/** Creates nodes, volumes, a namespace, and objects in three namespaces. Throws if the server refuses one. */
export function createObjects(server: Running): Promise<void> {
  return connected(server, async (pool) => {
    for (const [plural, kind, namespace, rest] of objects) {
      const path = `/api/v1${namespace === undefined ? '' : `/namespaces/${namespace}`}/${plural}`;
      const name = plural === 'namespaces' ? 'theirs' : `theirs-${plural}`;
      const body = { apiVersion: 'v1', kind, metadata: meta(name, namespace), ...rest };
      const { status } = await send(server, pool, 'POST', path, body);
      if (status !== 200 && status !== 409) throw new Error(`${path}: ${status}`);
    }
  });
}

interface Item {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  /** The Secrets of a service account. */
  readonly secrets?: readonly { readonly name: string }[];
  readonly data?: { readonly token?: string };
}

/** Returns the objects that runs left in the namespace `theirs`. */
export async function ownNames(server: Running): Promise<string[]> {
  const found = await readWhole(server, (item) => item.includes('theirs kac-'));
  return Object.keys(found).filter((key) => !key.startsWith('events '));
}

/** Returns every object of the server that no run created, whole, by its kind, namespace and name. */
export const readObjects = (server: Running): Promise<Record<string, Item>> =>
  readWhole(server, (item) => !item.includes('kac-'));

function readWhole(server: Running, isWanted: (item: string) => boolean): Promise<Record<string, Item>> {
  return connected(server, async (pool) => {
    const found: Record<string, Item> = {};
    for (const { groupVersion, plural } of resources) {
      const { status, body } = await send(server, pool, 'GET', `${groupVersion.prefix}/${plural}`);
      if (status !== 200) continue;
      for (const item of body.items ?? []) {
        const { name, namespace = '' } = item.metadata;
        if (isWanted(`${namespace} ${name}`)) found[`${plural} ${namespace}/${name}`] = item;
      }
    }
    return found;
  });
}

/** Waits until the controllers of a server that has just started, or got objects, are done. */
export async function untilAtRest(server: Running): Promise<void> {
  while (!hasAllTokens(await readObjects(server))) await pause(100);
}

/** Reports whether each namespace has an account, and each account has a token. */
function hasAllTokens(found: Readonly<Record<string, Item>>): boolean {
  const items = Object.entries(found);
  const hasToken = (namespace: string, secret: string): boolean =>
    found[`secrets ${namespace}/${secret}`]?.data?.token !== undefined;
  const accounts = items.filter(([key]) => key.startsWith('serviceaccounts '));
  return (
    items.every(
      ([key, { metadata }]) => !key.startsWith('namespaces ') || `serviceaccounts ${metadata.name}/default` in found,
    ) &&
    accounts.every(
      ([, { metadata, secrets = [] }]) =>
        secrets.length > 0 && secrets.every(({ name }) => hasToken(metadata.namespace ?? '', name)),
    )
  );
}
