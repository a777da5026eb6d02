// Compares what this server and a real kube-apiserver of 1.20 do with the same webhooks and the same requests: the answers, and
// what the webhooks are asked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../reference-server/index.js';
import { startFullServer } from '../../reference-server/later/index.js';
import { type WebhookCase, webhookCases } from '../../reference-server/later/testing/webhookCases.js';
import { WebhookServer } from '../../reference-server/later/testing/webhookServer.js';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { ask } from '../../reference-server/testing/standIn.js';
import { hasKubeApiserver, type KubeApiserver, startKubeApiserver } from '../testing/kubeApiserver.js';

const configurations = '/apis/admissionregistration.k8s.io/v1';
const probes = '/api/v1/namespaces/default/configmaps?dryRun=All';
const slug = (what: string): string => what.replace(/[^a-z0-9]+/gi, '-').toLowerCase();

/** Fields that servers choose, and those that later servers lack. */
const chosen = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'selfLink', 'time', 'userInfo']);

/** A value without chosen fields, empty objects and nulls, which stand for absent ones. */
function plain(value: AnyShape, strays: readonly string[]): AnyShape {
  if (Array.isArray(value)) return value.map((item) => plain(item, strays));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(
      ([name, inner]) =>
        !chosen.has(name) && !strays.includes(name) && inner !== null && !(name === 'code' && inner === 200),
    )
    .map(([name, inner]) => [name, plain(inner, name === 'oldObject' ? [...strays, 'managedFields'] : strays)] as const)
    .filter(([, inner]) => typeof inner !== 'object' || Object.keys(inner).length > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries);
}

/** A text without what only one server says, by its age or its address. */
const sameWords = (text: string, side: string): string =>
  text
    .replaceAll(`/${side}/`, '/SIDE/')
    .replaceAll('failed to call webhook: ', '')
    .replace(/gen-[a-z0-9]{5}/g, 'gen-XXXXX')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replace(/ in scheme \\"[^"]*"/g, '')
    .replace(/json parse error: .*?(?=","|"\})/g, 'json parse error');

describe.skipIf(!hasKubeApiserver())('webhooks are asked as kube-apiserver asks them', () => {
  let real: KubeApiserver;
  let webhooks: WebhookServer;
  const servers: Record<string, RunningServer> = {};

  beforeAll(async () => {
    webhooks = await WebhookServer.start();
    real = await startKubeApiserver('--no-controller-manager');
    const close = async () => {};
    servers.there = { ...real, close, [Symbol.asyncDispose]: close };
    servers.here = await startFullServer({
      kubeVersion: '1.20',
      allowLoopbackWebhooks: true,
      without: ['service-account-admission', 'service-account-controller', 'deployment-controller'],
    });
  });
  afterAll(async () => {
    await servers.here?.close();
    await real?.stop();
    await webhooks?.close();
  });

  async function configure(server: RunningServer, side: string): Promise<void> {
    const all: Record<string, AnyShape[]> = { mutating: [], validating: [] };
    for (const [what, { hooks }] of Object.entries(webhookCases)) {
      for (const { kind, suffix = 'x', respond, everything, fields = {}, rule = {} } of hooks) {
        const name = `${suffix}.${slug(what)}.example.com`;
        const client = webhooks.on(`/${side}/${kind}/${name}`, respond);
        const { clientConfig = {}, ...others } = fields;
        const more = JSON.parse(JSON.stringify(others).replaceAll('NAME', slug(what)));
        all[kind]?.push({
          name,
          ...(everything === true ? {} : { objectSelector: { matchLabels: { case: slug(what) } } }),
          rules: [
            {
              operations: ['CREATE', 'UPDATE', 'DELETE'],
              apiGroups: [''],
              apiVersions: ['*'],
              resources: ['configmaps'],
              ...rule,
            },
          ],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          timeoutSeconds: 30,
          ...more,
          clientConfig: { ...client, ...clientConfig },
        });
      }
    }
    for (const [kind, list] of Object.entries(all)) {
      const ready = webhooks.on(`/${side}/ready`, () => ({ allowed: false, status: { code: 418 } }));
      const probe = {
        name: 'ready.example.com',
        clientConfig: ready,
        objectSelector: { matchLabels: { probe: kind } },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      };
      await send(server, 'POST', `${configurations}/${kind}webhookconfigurations`, {
        metadata: { name: 'all' },
        webhooks: [...list, probe],
      });
      const body = { metadata: { name: 'probe', labels: { probe: kind } } };
      await expect.poll(async () => (await send(server, 'POST', probes, body)).status).toBe(418);
    }
    webhooks.asked.splice(0);
  }

  async function send(server: RunningServer, method: string, path: string, body?: AnyShape, type = 'application/json') {
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
    const headers = { 'user-agent': 'test/1', ...sent.headers };
    const reply = await ask(server, path, { method, ...sent, headers });
    const shown = reply.text.startsWith('{') ? JSON.parse(reply.text) : reply.text;
    return { status: reply.status, warnings: reply.headers.warning, body: shown };
  }

  async function outcome(side: string, what: string, { requests, strays = [] }: WebhookCase) {
    const server = servers[side] as RunningServer;
    const name = slug(what);
    const named = (text: string) => text.replaceAll('NAME', name);
    webhooks.asked.splice(0);
    const replies: AnyShape[] = [];
    const asked: { readonly path: string; readonly review: AnyShape }[] = [];
    for (const [method, path, given, type] of requests) {
      const isObject =
        given !== undefined &&
        !('target' in given || given.kind === 'Scale' || given.kind === 'Eviction' || given.kind === 'DeleteOptions');
      const metadata =
        isObject && given.metadata === undefined && 'metadata' in given
          ? undefined
          : {
              ...(method !== 'PATCH' || type?.includes('apply') ? { name } : {}),
              ...(path.includes('/namespaces/default/') &&
                (method !== 'PATCH' || type?.includes('apply')) && { namespace: 'default' }),
              ...given?.metadata,
              ...(isObject && { labels: { case: name, ...given.metadata?.labels } }),
            };
      const body =
        given === undefined
          ? undefined
          : JSON.parse(
              named(JSON.stringify({ ...given, ...(metadata && given.kind !== 'DeleteOptions' && { metadata }) })),
            );
      replies.push(await send(server, method, named(path), body, type));
      // The real server asks a second time after a refusal, because the state in its cache may have been old.
      const once = new Map(
        webhooks.asked.splice(0).map(({ path: hook, review }) => {
          const shown = { path: hook, review: plain(review, strays) };
          return [JSON.stringify(shown), shown] as const;
        }),
      );
      // Those that judge are asked at the same time.
      const order = ({ path: hook }: { readonly path: string }) => (hook.includes('/validating/') ? hook : '');
      asked.push(...[...once.values()].sort((one, other) => (order(one) < order(other) ? -1 : 1)));
    }
    return JSON.parse(
      sameWords(
        JSON.stringify({
          replies: replies.map((reply) => ({
            ...reply,
            status: reply.status === 201 ? 200 : reply.status,
            body: plain(reply.body, strays),
          })),
          asked,
        }),
        side,
      ),
    );
  }

  it('are configured', async () => {
    for (const [side, server] of Object.entries(servers)) await configure(server, side);
  });

  it.each(Object.entries(webhookCases))('%s', async (what, one) => {
    const there = await outcome('there', what, one);
    const here = await outcome('here', what, one);
    expect(here).toEqual(there);
  });
});
