// Probes of admission plug-ins that can be switched off: each creates what the plug-in would change or refuse.

import { mediaTypes } from '../../../matrix/api/index.js';
import { at, type JsonObject } from '../../client/json.js';
import { pathTo } from '../../client/paths.js';
import type { Reply } from '../../client/reply.js';
import { releaseAnyhow } from '../../objects/anyhow.js';
import { eventually } from '../../objects/eventually.js';
import { byId, configMaps, namespaces, pods } from '../../objects/related.js';
import type { CreatedObject } from '../../objects/sandbox.js';
import { hasSucceeded, lacks, offers, type Probe, type ProbeContext, type ProbeFinding, sendObject } from './probe.js';

const quotas = byId('core/resourcequotas');
const limitRanges = byId('core/limitranges');

/** Milliseconds between two creates: admission reads limits from a cache, which may be late. */
const pause = 1_000;

/** Creates one object after the other until `shows` finds the effect of the plug-in in a response. */
async function effect(
  asked: ProbeContext,
  resource: CreatedObject['resource'],
  namespace: string,
  change: JsonObject,
  shows: (reply: Reply) => string | undefined,
): Promise<ProbeFinding | undefined> {
  const create = async (): Promise<Reply> => {
    const body = asked.sandbox.body(resource, asked.sandbox.name(resource), namespace, { change });
    const reply = await sendObject(asked, 'POST', pathTo(resource, 'create', namespace), body);
    if (!isOver(reply)) await new Promise((resolve) => setTimeout(resolve, pause));
    return reply;
  };
  const isOver = (reply: Reply): boolean => shows(reply) !== undefined || !hasSucceeded(reply);
  const last = await eventually(create, isOver, asked.timeout);
  const shown = shows(last);
  if (shown !== undefined) return offers(shown);
  // Another error says nothing about the plug-in.
  return hasSucceeded(last)
    ? lacks(`for ${Math.round(asked.timeout / 1000)} s, ${resource.plural} beyond the limit were accepted unchanged`)
    : undefined;
}

const refusal = ({ status }: Reply): string | undefined =>
  status === 403 ? 'a create beyond the limit was refused' : undefined;

const limitRange: Probe = async (asked) => {
  const namespace = await asked.sandbox.namespace('limited');
  const limits = [{ type: 'Container', max: { cpu: '500m' }, default: { cpu: '300m' } }];
  await asked.sandbox.make(limitRanges, { namespace, change: { spec: { limits } } });
  const image = 'registry.example/none:1';
  const containers = [
    { name: 'beyond', image, resources: { limits: { cpu: '501m' } } },
    { name: 'without', image },
  ];
  const hasDefault = (reply: Reply): boolean =>
    at(reply.tryValue(), 'spec', 'containers', 1, 'resources', 'limits', 'cpu') !== undefined;
  return effect(asked, pods, namespace, { spec: { containers } }, (reply) =>
    hasDefault(reply) ? 'a pod got the default of a LimitRange' : refusal(reply),
  );
};

const quota: Probe = async (asked) => {
  const namespace = await asked.sandbox.namespace('full');
  const hard = { configmaps: '0' };
  const { name } = await asked.sandbox.make(quotas, { namespace, change: { spec: { hard } } });
  // As the controller of quotas writes it, which the target may lack.
  const path = `${pathTo(quotas, 'patch', namespace, name)}/status`;
  await sendObject(asked, 'PATCH', path, { status: { hard, used: { configmaps: '0' } } }, mediaTypes.mergePatch);
  return effect(asked, configMaps, namespace, {}, refusal);
};

/** A server that guards one of the two namespaces has the plug-in, and is tested for both. */
const namespaceLifecycle: Probe = async (asked) => {
  if (!asked.deletes) return undefined;
  const { sandbox } = asked;
  const nowhere = sandbox.name(namespaces);
  const absent = await createIn(asked, nowhere);
  if (absent.status === 404) return offers('a create in an absent namespace was refused');
  // Another plug-in may have created the namespace.
  await sandbox.client.send({ method: 'DELETE', path: pathTo(namespaces, 'delete', undefined, nowhere) });
  const finalizers = ['kube-api-conformance/held'];
  const { name } = await sandbox.make(namespaces, { change: { metadata: { finalizers } } });
  const path = pathTo(namespaces, 'delete', undefined, name);
  await sandbox.client.send({ method: 'DELETE', path });
  const late = await createIn(asked, name);
  await releaseAnyhow(sandbox.client, path);
  if (late.status === 403) return offers('a create in a namespace that ends was refused');
  return [absent, late].every(hasSucceeded)
    ? lacks('a create succeeded in an absent namespace, and in one that ends')
    : undefined;
};

/** Creates an object in a namespace. Neither may be there afterwards, and neither has a label by which a clean-up finds it. */
async function createIn(asked: ProbeContext, namespace: string): Promise<Reply> {
  const { client } = asked.sandbox;
  const name = asked.sandbox.name(configMaps);
  const body = asked.sandbox.body(configMaps, name, namespace);
  const reply = await sendObject(asked, 'POST', pathTo(configMaps, 'create', namespace), body);
  if (hasSucceeded(reply)) await client.send({ method: 'DELETE', path: pathTo(configMaps, 'delete', namespace, name) });
  return reply;
}

export const pluginProbes = {
  'limit-ranger': limitRange,
  'quota-admission': quota,
  'namespace-lifecycle': namespaceLifecycle,
};
