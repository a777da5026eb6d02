// Right servers whose controllers are late, as those of a cluster that changes its leader: that must not fail a case.
import { expect, inject, it } from 'vitest';
import { at, type JsonObject } from '../../client/json.js';
import { type Broken, composed, type WireReply } from '../faults/wire/fault.js';
import { change, drop, items } from '../faults/wire/objects.js';
import { after, anyStatus, replace, shown } from '../faults/wire/replies.js';
import { line } from '../faults/wire/watches.js';
import { useServerBehindProxy } from './chosenRuns.js';

const resultsOf = useServerBehindProxy(['admission', 'deleteOptions', 'serviceAccounts', 'subresources', 'watch']);

/** Hides the status of each quota for so many milliseconds after it was first read. */
function uncountedFor(milliseconds: number): Broken {
  const firstRead = new Map<unknown, number>();
  return shown('GET ResourceQuota', (quota: JsonObject) => {
    const name = at(quota, 'metadata', 'name');
    const since = firstRead.get(name) ?? Date.now();
    firstRead.set(name, since);
    return Date.now() - since < milliseconds ? drop('status')(quota) : quota;
  });
}

/** Shows the first quota as it was once it was full, as if the controller had counted from an old cache. */
function stuckQuota(): Broken {
  let full: JsonObject | undefined;
  return shown('GET ResourceQuota', (quota: JsonObject) => {
    if (at(quota, 'status', 'used', 'configmaps') === at(quota, 'spec', 'hard', 'configmaps')) full ??= quota;
    return full !== undefined && at(quota, 'metadata', 'uid') === at(full, 'metadata', 'uid') ? full : quota;
  });
}

/** Shows one more ConfigMap after the first delete, which the quota counts. */
const oneMore: Broken = after(
  'DELETE',
  composed([
    shown(
      'GET ConfigMapList',
      items((all) => [...all, { metadata: { name: 'kube-root-ca.crt' } }]),
    ),
    shown(
      'GET ResourceQuota',
      change('status.used.configmaps', (used) => String(Number(used) + 1)),
    ),
  ]),
);

/** Hides the Secret of each account of the run for so many milliseconds after it was first listed. */
function withoutSecretFor(milliseconds: number): Broken {
  const firstListed = new Map<unknown, number>();
  return shown(
    'GET SecretList',
    items((all) =>
      all.filter((secret) => {
        const { namespace, name } = secret.metadata as JsonObject;
        const since = firstListed.get(name) ?? Date.now();
        firstListed.set(name, since);
        return namespace === 'default' || Date.now() - since >= milliseconds;
      }),
    ),
  );
}

/** Shows each object as it was for so many milliseconds after it is gone, as if the controller that deletes it were late. */
function goneAfter(milliseconds: number): Broken {
  const seen = new Map<string, { readonly last: WireReply; readonly until?: number }>();
  return replace(/^(GET|POST) /, anyStatus, (reply, { method, path: asked }) => {
    const made = method === 'POST' && reply.status < 300 ? at(JSON.parse(reply.body), 'metadata', 'name') : undefined;
    const path = made === undefined ? asked : `${asked}/${made}`;
    if (reply.status < 300) seen.set(path, { last: reply });
    const known = seen.get(path);
    if (reply.status !== 404 || known === undefined) return reply;
    const until = known.until ?? Date.now() + milliseconds;
    seen.set(path, { ...known, until });
    return Date.now() < until ? known.last : reply;
  });
}

it.each([
  'deleteOptions.dependents-every-kind › DELETE /api/v1/namespaces/{namespace}/secrets/{name}',
  'subresources.finalize-last › DELETE /api/v1/namespaces/{name}',
])('%s passes where a controller deletes after six seconds', async (id) => {
  const results = await resultsOf(goneAfter(6_000), id, 4_000);
  expect(results.map(({ verdict, message, retried }) => retried ?? message ?? verdict)).toEqual(['passed']);
});

/** Tells watches of deletes so many milliseconds after the first one, when reads have shown them. */
function toldAfter(milliseconds: number): Broken {
  let until: number | undefined;
  return {
    watch: () => async (event) => {
      if (event?.type === 'DELETED') {
        until ??= Date.now() + milliseconds;
        await new Promise((resolve) => setTimeout(resolve, Number(until) - Date.now()));
      }
      return [line(event)];
    },
  };
}

it.each(['watch.removed', 'watch.every-write'])(
  '%s passes where watches are told after three seconds',
  async (name) => {
    const results = await resultsOf(toldAfter(3_000), `${name} › GET /api/v1/watch/namespaces/{name}`, 2_900);
    expect(results.map(({ verdict, message, retried }) => retried ?? message ?? verdict)).toEqual(['passed']);
  },
);

it('a case of tokens passes where a controller makes Secrets after seven seconds', async () => {
  const results = await resultsOf(
    withoutSecretFor(7_000),
    'serviceAccounts.token-secret-gone › server, what a token stands on',
  );
  expect(results.map(({ verdict, message, retried }) => retried ?? message ?? verdict)).toEqual(['passed']);
});

it.each([
  ['counts for a quota after five seconds', uncountedFor(5_000), inject('deadline') / 4],
  ['counts once from an old cache', stuckQuota(), 4_000],
  ['creates an object of its own in a namespace late', oneMore, inject('deadline') / 4],
])('a case of quotas passes where a controller %s', async (_, late, timeout) => {
  const results = await resultsOf(late, 'admission.quota-released › server, configmaps', timeout);
  expect(results.map(({ verdict, message, retried }) => retried ?? message ?? verdict)).toEqual(['passed']);
});
