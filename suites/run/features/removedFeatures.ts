// Probes of features that later servers have removed: the response of the server must show it.
import { at } from '../../client/json.js';
import { pathTo } from '../../client/paths.js';
import type { Reply } from '../../client/reply.js';
import { configMaps } from '../../objects/related.js';
import { hasSucceeded, lacks, offers, type Probe, readPath } from './probe.js';

const exported: Probe = async (asked) => {
  const path = `${pathTo(configMaps, 'read', await asked.namespace(), asked.sandbox.name())}?export=true`;
  const reply = await readPath(asked, path);
  const message = String(at(reply.tryValue(), 'message') ?? '');
  if (reply.status === 400 && /export/i.test(message) && /no longer supported/i.test(message))
    return lacks(`a read with export=true returns 400, "${message}"`);
  return reply.status === 404 || hasSucceeded(reply) ? offers('a read with export=true is not refused') : undefined;
};

/** Reports a 404 for the path itself: a 404 for an absent object names the object. */
const isUnknown = (reply: Reply, name: string): boolean =>
  reply.status === 404 && at(reply.tryValue(), 'details', 'name') !== name;

const legacyProxy: Probe = async (asked) => {
  const [namespace, name] = [await asked.namespace(), asked.sandbox.name()];
  const within = `/api/v1/proxy/namespaces/${namespace}`;
  const paths = [`/api/v1/proxy/nodes/${name}`, `${within}/pods/${name}`, `${within}/services/${name}`];
  const replies = await Promise.all(paths.map((path) => readPath(asked, `${path}/`)));
  return replies.every((reply) => isUnknown(reply, name))
    ? lacks('every path below /api/v1/proxy is 404')
    : offers('a path below /api/v1/proxy responds');
};

export const removedFeatureProbes = { export: exported, 'legacy-proxy': legacyProxy };
