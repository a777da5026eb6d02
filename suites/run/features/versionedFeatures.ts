// Probes of features that came or went with a version of the interface.
import { mediaTypes } from '../../../matrix/api/index.js';
import { at, itemsOf } from '../../client/json.js';
import { pathTo } from '../../client/paths.js';
import type { Reply } from '../../client/reply.js';
import { configMaps, pods } from '../../objects/related.js';
import {
  hasSucceeded,
  lacks,
  newObject,
  offers,
  type Probe,
  type ProbeContext,
  readPath,
  sendObject,
  wasRefused,
} from './probe.js';

const dryRun: Probe = async (asked) => {
  const { sandbox } = asked;
  const [namespace, name] = [await asked.namespace(), sandbox.name()];
  const path = pathTo(configMaps, 'create', namespace);
  const reply = await sendObject(asked, 'POST', `${path}?dryRun=All`, sandbox.body(configMaps, name, namespace));
  const stored = await sandbox.current({ resource: configMaps, name, namespace });
  if (stored !== undefined) return lacks('a create with dryRun=All stored the object');
  return hasSucceeded(reply) ? offers('a create with dryRun=All stored nothing') : undefined;
};

const limit: Probe = async (asked) => {
  const { namespace = '' } = await newObject(asked, configMaps);
  await newObject(asked, configMaps);
  const path = pathTo(configMaps, 'list', namespace);
  const reply = await readPath(asked, `${path}?limit=1`);
  if (!hasSucceeded(reply)) return undefined;
  const count = itemsOf(reply.tryValue()).length;
  if (count === 1) return offers('a list with limit=1 contained one object');
  // A server that reads tokens and ignores limits has the feature, and it is broken.
  const any = await readPath(asked, `${path}?limit=1&continue=nonsense`);
  if (wasRefused(any)) return offers('a continue token that does not exist was refused');
  // Other probes make objects there meanwhile.
  return count > 1 && itemsOf(any.tryValue()).length > 1
    ? lacks(`a list with limit=1 and any continue token contained ${count} objects`)
    : undefined;
};

const resourceVersionMatch: Probe = async (asked) => {
  const path = `${pathTo(configMaps, 'list', await asked.namespace())}?resourceVersion=0&resourceVersionMatch=Nonsense`;
  const reply = await readPath(asked, path);
  if (wasRefused(reply)) return offers('a resourceVersionMatch that does not exist was refused');
  return hasSucceeded(reply) ? lacks('a resourceVersionMatch that does not exist was accepted') : undefined;
};

/** Returns a probe that deletes with options that must be refused: an old server deletes the object. */
const mindingDelete =
  (what: string, options: (version: string) => object): Probe =>
  async (asked) => {
    if (!asked.deletes) return undefined;
    const made = await newObject(asked, configMaps);
    const version = String(at(made.object, 'metadata', 'resourceVersion') ?? '');
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options(version) };
    const reply = await sendObject(asked, 'DELETE', pathTo(configMaps, 'delete', made.namespace, made.name), body);
    const left = await asked.sandbox.current(made);
    if (wasRefused(reply) && left !== undefined) return offers(`a delete with ${what} was refused`);
    return hasSucceeded(reply) && left === undefined ? lacks(`a delete with ${what} deleted the object`) : undefined;
  };

const retainKeys: Probe = async (asked) => {
  const made = await newObject(asked, configMaps, { data: { kept: '1', cleared: '1' } });
  const path = pathTo(configMaps, 'patch', made.namespace, made.name);
  const patch = { data: { $retainKeys: ['kept'], kept: '2' } };
  const reply = await sendObject(asked, 'PATCH', path, patch, mediaTypes.strategicMergePatch);
  const data = at(await asked.sandbox.current(made), 'data');
  if (hasSucceeded(reply) && at(data, 'kept') === '2' && at(data, 'cleared') === undefined)
    return offers('a patch with $retainKeys cleared the other keys');
  // an error or another result: in both cases the server did not understand the patch
  return at(data, 'cleared') === '1' ? lacks(`a patch with $retainKeys returned ${reply.status}`) : undefined;
};

/** Sends a pod that is invalid on every server: its request exceeds its limit. */
const causeNames: Probe = async (asked) => {
  const { sandbox } = asked;
  const [namespace, name] = [await asked.namespace(), sandbox.name()];
  const resources = { requests: { cpu: '2' }, limits: { cpu: '1' } };
  const containers = [{ name: 'main', image: 'registry.example/none:1', resources }];
  const body = { ...sandbox.body(pods, name, namespace), spec: { containers } };
  const reply = await sendObject(asked, 'POST', pathTo(pods, 'create', namespace), body);
  const causes = at(reply.tryValue(), 'details', 'causes');
  const fields = Array.isArray(causes) ? causes.map((cause) => String(at(cause, 'field'))) : [];
  if (reply.status !== 422 || fields.length === 0) return undefined;
  if (fields.some((field) => field.endsWith('.requests')))
    return offers('the error of a sum of requests lists the requests');
  const names = fields.find((field) => field.endsWith('.limits'));
  return names === undefined ? undefined : lacks(`the error of requests above a limit lists ${names}`);
};

const group = ({ sandbox }: ProbeContext): string => `authentication.${sandbox.client.target.domains.authentication}`;

const reviewToken: Probe = async (asked) => {
  const body = { apiVersion: `${group(asked)}/v1beta1`, kind: 'TokenReview', spec: {} };
  const reply = await sendObject(asked, 'POST', `/apis/${body.apiVersion}/tokenreviews`, body);
  if (wasRefused(reply)) return offers('a TokenReview without a token was refused');
  // a server of any version must tell an unknown user from a known one
  return hasSucceeded(reply) && at(reply.tryValue(), 'status', 'authenticated') !== true
    ? lacks('a TokenReview without a token was accepted')
    : undefined;
};

const selfReview: Probe = async (asked) => {
  const body = { apiVersion: `${group(asked)}/v1`, kind: 'SelfSubjectReview' };
  const path = `/apis/${body.apiVersion}/selfsubjectreviews`;
  const reply = await sendObject(asked, 'POST', path, body);
  if (hasSucceeded(reply)) return offers(`${path} responds`);
  const listed = at((await readPath(asked, `/apis/${body.apiVersion}`)).tryValue(), 'resources');
  if (Array.isArray(listed) && listed.some((row) => at(row, 'name') === 'selfsubjectreviews'))
    return offers('discovery lists it');
  return reply.status === 404 ? lacks(`${path} returns 404`) : undefined;
};

export const newerFeatureProbes = {
  'dry-run': dryRun,
  limit,
  'resource-version-match': resourceVersionMatch,
  'propagation-policy': mindingDelete('a propagationPolicy that does not exist', () => ({
    propagationPolicy: 'Nonsense',
  })),
  'precondition-version': mindingDelete('another resourceVersion as its precondition', (version) => ({
    preconditions: { resourceVersion: version === '1' ? '2' : '1' },
  })),
  'strategic-directives': retainKeys,
  'cause-names': causeNames,
  'review-token': reviewToken,
  'self-review': selfReview,
} satisfies Readonly<Record<string, Probe>>;

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
