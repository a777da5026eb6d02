// Probes of features that are younger than the document: each sends a request that an older server does not understand.
import { mediaTypes } from '../../../matrix/api/index.js';
import { at, itemsOf } from '../../client/json.js';
import { pathTo } from '../../client/paths.js';
import { configMaps, pods } from '../../objects/related.js';
import {
  absent,
  newObject,
  type Probe,
  type ProbeContext,
  reading,
  refused,
  sending,
  succeeded,
  there,
} from './probe.js';

const dryRun: Probe = async (asked) => {
  const { sandbox } = asked;
  const [namespace, name] = [await asked.namespace(), sandbox.name()];
  const path = pathTo(configMaps, 'create', namespace);
  const reply = await sending(asked, 'POST', `${path}?dryRun=All`, sandbox.body(configMaps, name, namespace));
  const stored = await sandbox.current({ resource: configMaps, name, namespace });
  if (stored !== undefined) return absent('a create with dryRun=All stored the object');
  return succeeded(reply) ? there('a create with dryRun=All stored nothing') : undefined;
};

const limit: Probe = async (asked) => {
  const { namespace = '' } = await newObject(asked, configMaps);
  await newObject(asked, configMaps);
  const reply = await reading(asked, `${pathTo(configMaps, 'list', namespace)}?limit=1`);
  if (!succeeded(reply)) return undefined;
  const count = itemsOf(reply.tryValue()).length;
  if (count > 1) return absent(`a list with limit=1 held ${count} objects`);
  return count === 1 ? there('a list with limit=1 held one object') : undefined;
};

const resourceVersionMatch: Probe = async (asked) => {
  const path = `${pathTo(configMaps, 'list', await asked.namespace())}?resourceVersion=0&resourceVersionMatch=Nonsense`;
  const reply = await reading(asked, path);
  if (refused(reply)) return there('a resourceVersionMatch that does not exist was refused');
  return succeeded(reply) ? absent('a resourceVersionMatch that does not exist was accepted') : undefined;
};

/** Returns a probe that deletes with options that must be refused: an old server deletes the object. */
const mindingDelete =
  (what: string, options: (version: string) => object): Probe =>
  async (asked) => {
    if (!asked.deletes) return undefined;
    const made = await newObject(asked, configMaps);
    const version = String(at(made.object, 'metadata', 'resourceVersion') ?? '');
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options(version) };
    const reply = await sending(asked, 'DELETE', pathTo(configMaps, 'delete', made.namespace, made.name), body);
    const left = await asked.sandbox.current(made);
    if (refused(reply) && left !== undefined) return there(`a delete with ${what} was refused`);
    return succeeded(reply) && left === undefined ? absent(`a delete with ${what} deleted the object`) : undefined;
  };

const retainKeys: Probe = async (asked) => {
  const made = await newObject(asked, configMaps, { data: { kept: '1', cleared: '1' } });
  const path = pathTo(configMaps, 'patch', made.namespace, made.name);
  const patch = { data: { $retainKeys: ['kept'], kept: '2' } };
  const reply = await sending(asked, 'PATCH', path, patch, mediaTypes.strategicMergePatch);
  const data = at(await asked.sandbox.current(made), 'data');
  if (succeeded(reply) && at(data, 'kept') === '2' && at(data, 'cleared') === undefined)
    return there('a patch with $retainKeys cleared the other keys');
  // an error or another result: in both cases the server did not understand the patch
  return at(data, 'cleared') === '1' ? absent(`a patch with $retainKeys was answered ${reply.status}`) : undefined;
};

/** Sends a pod that is invalid on every server: its request exceeds its limit. */
const causeNames: Probe = async (asked) => {
  const { sandbox } = asked;
  const [namespace, name] = [await asked.namespace(), sandbox.name()];
  const resources = { requests: { cpu: '2' }, limits: { cpu: '1' } };
  const containers = [{ name: 'main', image: 'registry.example/none:1', resources }];
  const body = { ...sandbox.body(pods, name, namespace), spec: { containers } };
  const reply = await sending(asked, 'POST', pathTo(pods, 'create', namespace), body);
  const causes = at(reply.tryValue(), 'details', 'causes');
  const fields = Array.isArray(causes) ? causes.map((cause) => String(at(cause, 'field'))) : [];
  if (reply.status !== 422 || fields.length === 0) return undefined;
  if (fields.some((field) => field.endsWith('.requests'))) return there('the cause of requests names the requests');
  const names = fields.find((field) => field.endsWith('.limits'));
  return names === undefined ? undefined : absent(`the cause of requests beyond a limit names ${names}`);
};

const group = ({ sandbox }: ProbeContext): string => `authentication.${sandbox.client.target.domains.authentication}`;

const reviewToken: Probe = async (asked) => {
  const body = { apiVersion: `${group(asked)}/v1beta1`, kind: 'TokenReview', spec: {} };
  const reply = await sending(asked, 'POST', `/apis/${body.apiVersion}/tokenreviews`, body);
  if (refused(reply)) return there('a TokenReview without a token was refused');
  // a server of any version must tell an unknown user from a known one
  return succeeded(reply) && at(reply.tryValue(), 'status', 'authenticated') !== true
    ? absent('a TokenReview without a token was answered')
    : undefined;
};

const selfReview: Probe = async (asked) => {
  const body = { apiVersion: `${group(asked)}/v1`, kind: 'SelfSubjectReview' };
  const path = `/apis/${body.apiVersion}/selfsubjectreviews`;
  const reply = await sending(asked, 'POST', path, body);
  if (succeeded(reply)) return there(`${path} answered`);
  return reply.status === 404 ? absent(`${path} is 404`) : undefined;
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
