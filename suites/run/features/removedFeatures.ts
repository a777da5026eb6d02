// Probes of features that later servers have removed: the response of the server must show it.
import { at } from '../../client/json.js';
import { pathTo } from '../../client/paths.js';
import type { Reply } from '../../client/reply.js';
import { configMaps } from '../../objects/related.js';
import { absent, type Probe, reading, succeeded, there } from './probe.js';

const exported: Probe = async (asked) => {
  const path = `${pathTo(configMaps, 'read', await asked.namespace(), asked.sandbox.name())}?export=true`;
  const reply = await reading(asked, path);
  const message = String(at(reply.tryValue(), 'message') ?? '');
  if (reply.status === 400 && /export/i.test(message) && /no longer supported/i.test(message))
    return absent(`a read with export=true is 400, "${message}"`);
  return reply.status === 404 || succeeded(reply) ? there('a read with export=true is not refused') : undefined;
};

/** Reports a 404 for the path itself: a 404 for an absent object names the object. */
const isUnknown = (reply: Reply, name: string): boolean =>
  reply.status === 404 && at(reply.tryValue(), 'details', 'name') !== name;

const legacyProxy: Probe = async (asked) => {
  const [namespace, name] = [await asked.namespace(), asked.sandbox.name()];
  const within = `/api/v1/proxy/namespaces/${namespace}`;
  const paths = [`/api/v1/proxy/nodes/${name}`, `${within}/pods/${name}`, `${within}/services/${name}`];
  const replies = await Promise.all(paths.map((path) => reading(asked, `${path}/`)));
  return replies.every((reply) => isUnknown(reply, name))
    ? absent('every path below /api/v1/proxy is 404')
    : there('a path below /api/v1/proxy answers');
};

export const removedFeatureProbes = { export: exported, 'legacy-proxy': legacyProxy };
