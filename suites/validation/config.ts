// Invalid configuration and storage: ConfigMaps, Secrets, limits, quotas, volumes, events.
import type { JsonObject } from '../client/json.js';
import { anyObject, type Invalid, type InvalidBodies } from './invalid.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const long = 'k'.repeat(254);
const tooMuch = 'x'.repeat(1024 * 1024 + 1);
const key = (name: string): Invalid => ({ over: { data: { [name]: '' } }, field: `data[${name}]` });

export const configMaps: InvalidBodies<'core/configmaps'> = {
  ...anyObject,
  'a key with a slash': key('a/b'),
  'an empty key': key(''),
  'the key ..': key('..'),
  'a key of 254 characters': key(long),
  'annotations above 256 KiB': {
    over: { metadata: { annotations: { large: 'x'.repeat(256 * 1024 + 1) } } },
    field: 'metadata.annotations',
  },
  // A later server names no field, because it counts several fields together.
  'data above 1 MiB': { over: { data: { large: tooMuch } }, field: ['data', '[]'] },
};

const secret = (type: string, data: JsonObject, field: string | readonly string[]): Invalid => ({
  over: { type, data },
  field,
});

/** `<domain>` stands for the domain of the target's Secret types. */
export const secrets: InvalidBodies<'core/secrets'> = {
  'a key with a space': key('a b'),
  'an empty key': key(''),
  'the key ..': key('..'),
  'data above 1 MiB': { over: { data: { large: base64(tooMuch) } }, field: 'data' },
  'a TLS certificate without its key': secret('<domain>/tls', { 'tls.crt': base64('some') }, 'data[tls.key]'),
  'a docker configuration without its key': secret('<domain>/dockercfg', {}, 'data[.dockercfg]'),
  'a docker configuration that is no JSON': secret(
    '<domain>/dockercfg',
    { '.dockercfg': base64('no JSON') },
    'data[.dockercfg]',
  ),
  'a token without its account': secret(
    '<domain>/service-account-token',
    {},
    'metadata.annotations[<domain>/service-account.name]',
  ),
};

const about = (namespace: string, kind = 'Pod', apiVersion = 'v1'): Invalid => ({
  over: { involvedObject: { apiVersion, kind, name: 'some-object', namespace } },
  field: 'involvedObject.namespace',
});

const { 'an owner without a uid': noUid, 'an owner without a name': noName, 'two controllers': two } = anyObject;

export const events: InvalidBodies<'core/events'> = {
  'an owner without a uid': noUid,
  'an owner without a name': noName,
  'two controllers': two,
  'an object of another namespace': about('kube-system'),
  'an object of no namespace': about(''),
  'a node of another namespace': about('kube-public', 'Node'),
};

const limit = (over: JsonObject, field: string): Invalid => ({
  over: { spec: { limits: [{ type: 'Container', ...over }] } },
  field: `spec.limits[0].${field}`,
});

export const limitRanges: InvalidBodies<'core/limitranges'> = {
  'a minimum above the maximum': limit({ min: { memory: '2Gi' }, max: { memory: '1Gi' } }, 'min[memory]'),
  'a default above the maximum': limit({ default: { memory: '2Gi' }, max: { memory: '1Gi' } }, 'default[memory]'),
  'a default below the minimum': limit({ min: { memory: '2Gi' }, default: { memory: '1Gi' } }, 'default[memory]'),
  'a default request above the default': limit(
    { defaultRequest: { memory: '2Gi' }, default: { memory: '1Gi' } },
    'defaultRequest[memory]',
  ),
  'a default for pods': limit({ type: 'Pod', default: { memory: '64Gi' } }, 'default'),
  'a default request for pods': limit({ type: 'Pod', defaultRequest: { memory: '64Gi' } }, 'defaultRequest'),
  'a type twice': {
    over: { spec: { limits: [1, 2].map(() => ({ type: 'Pod', max: { memory: '64Ti' } })) } },
    field: 'spec.limits[1].type',
  },
  'a ratio below one': limit({ maxLimitRequestRatio: { memory: '500m' } }, 'maxLimitRequestRatio[memory]'),
};

const quota = (spec: JsonObject, field: string): Invalid => ({ over: { spec }, field: `spec.${field}` });

export const resourceQuotas: InvalidBodies<'core/resourcequotas'> = {
  'a negative quantity': quota({ hard: { pods: '-1' } }, 'hard[pods]'),
  'a fraction of a pod': quota({ hard: { pods: '1500m' } }, 'hard[pods]'),
  'an unknown resource': quota({ hard: { colours: '1k' } }, 'hard[colours]'),
  'an unknown scope': quota({ scopes: ['Sometimes'] }, 'scopes'),
  'scopes that contradict each other': quota(
    { hard: { 'requests.nvidia.com/gpu': undefined, pods: '10k' }, scopes: ['BestEffort', 'NotBestEffort'] },
    'scopes',
  ),
  'a scope that the resource has not': quota(
    { hard: { 'requests.nvidia.com/gpu': undefined, services: '10k' }, scopes: ['BestEffort'] },
    'scopes',
  ),
};

const claim = (spec: JsonObject, field: string): Invalid => ({ over: { spec }, field: `spec.${field}` });
const storage = (amount: string | undefined): JsonObject => ({ resources: { requests: { storage: amount } } });

export const persistentVolumeClaims: InvalidBodies<'core/persistentvolumeclaims'> = {
  'no access modes': claim({ accessModes: [] }, 'accessModes'),
  'an unknown access mode': claim({ accessModes: ['ReadSometimes'] }, 'accessModes'),
  'no storage': claim(storage(undefined), 'resources[storage]'),
  'a storage of zero': claim(storage('0'), 'resources[storage]'),
  'a negative storage': claim(storage('-1Gi'), 'resources[storage]'),
  'an unknown operator in the selector': claim(
    { selector: { matchExpressions: [{ key: 'zone', operator: 'Like', values: ['a'] }] } },
    'selector.matchExpressions[0].operator',
  ),
};

export const persistentVolumes: InvalidBodies<'core/persistentvolumes'> = {
  'no capacity': withoutStorage({}),
  'a capacity of zero': claim({ capacity: { storage: '0' } }, 'capacity[storage]'),
  'a capacity of something else': withoutStorage({ cpu: '1' }),
  'no access modes': claim({ accessModes: [] }, 'accessModes'),
  'an unknown access mode': claim({ accessModes: ['ReadSometimes'] }, 'accessModes'),
  'no source': { over: { spec: { hostPath: undefined } }, field: 'spec' },
  'two sources': claim({ nfs: { server: 'nfs.example.com', path: '/srv' } }, 'nfs'),
  'a source without its path': claim({ hostPath: { path: '' } }, 'hostPath.path'),
};

function withoutStorage(capacity: JsonObject): Invalid {
  return { over: { spec: { capacity: { storage: undefined, ...capacity } } }, field: 'spec.capacity' };
}
