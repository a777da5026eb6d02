// Somebody's objects on a server: put there, and read back whole.
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

type Belonging = readonly [plural: string, kind: string, namespace: string | undefined, rest: object];
const belongings: readonly Belonging[] = [
  ['nodes', 'Node', undefined, {}],
  ['persistentvolumes', 'PersistentVolume', undefined, volume],
  ['namespaces', 'Namespace', undefined, {}],
  ...['default', 'kube-system', 'theirs'].flatMap((namespace): Belonging[] => [
    ['configmaps', 'ConfigMap', namespace, data],
    ['secrets', 'Secret', namespace, {}],
    ['pods', 'Pod', namespace, pod],
    ['services', 'Service', namespace, { spec: { ports: [{ port: 80 }] } }],
    ['serviceaccounts', 'ServiceAccount', namespace, {}],
  ]),
];

/** Requests with the token of the server's administrator. */
async function ask(server: Running, method: 'GET' | 'POST', path: string, body?: object) {
  const pool = new Pool(server.url, { connect: { ca: server.ca } });
  try {
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
    const answer = await pool.request({ method, path, headers, body: body ? JSON.stringify(body) : null });
    return { status: answer.statusCode, body: (await answer.body.json()) as { readonly items?: readonly Item[] } };
  } finally {
    await pool.close();
  }
}

/** Puts nodes, volumes, a namespace, and something into three namespaces. Throws where the server refuses. */
export async function putBelongings(server: Running): Promise<void> {
  for (const [plural, kind, namespace, rest] of belongings) {
    const path = `/api/v1${namespace === undefined ? '' : `/namespaces/${namespace}`}/${plural}`;
    const name = plural === 'namespaces' ? 'theirs' : `theirs-${plural}`;
    const { status } = await ask(server, 'POST', path, {
      apiVersion: 'v1',
      kind,
      metadata: meta(name, namespace),
      ...rest,
    });
    if (status !== 200 && status !== 409) throw new Error(`${path}: ${status}`);
  }
}

interface Item {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  /** Of a service account. */
  readonly secrets?: readonly { readonly name: string }[];
  /** Of a secret. */
  readonly data?: { readonly token?: string };
}

/** Every object of the server that is not of a run, whole, by its kind, namespace and name. */
export async function dump(server: Running): Promise<Record<string, Item>> {
  const found: Record<string, Item> = {};
  for (const { groupVersion, plural } of resources) {
    const { status, body } = await ask(server, 'GET', `${groupVersion.prefix}/${plural}`);
    if (status !== 200) continue;
    for (const item of body.items ?? []) {
      const { name, namespace = '' } = item.metadata;
      if (!`${namespace} ${name}`.includes('kac-')) found[`${plural} ${namespace}/${name}`] = item;
    }
  }
  return found;
}

/** Whether the server has done what it does by itself: each namespace has an account, and each account its token. */
export function hasAllTokens(found: Readonly<Record<string, Item>>): boolean {
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
