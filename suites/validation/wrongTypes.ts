// Values of a wrong JSON type, in creates, replaces and patches.
import { defined, resourceId } from '../../matrix/api/index.js';
import { encodeBody } from '../client/decoders.js';
import { fail, status, statusObject } from '../client/expect.js';
import { type JsonObject, merge } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { isUnchanged } from '../objects/unchanged.js';
import { patchBody } from '../patch/target.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { placeOf, tryCreate } from './refusals.js';

/** Fields of each kind, each with a value of another JSON type. */
const wrongFields: Readonly<Record<string, readonly JsonObject[]>> = {
  'core/configmaps': [{ data: ['a', 'b'] }, { data: { some: 5 } }],
  'core/endpoints': [{ subsets: { addresses: [] } }],
  'core/events': [{ count: '2' }, { message: true }],
  'core/limitranges': [{ spec: { limits: {} } }],
  'core/namespaces': [{ spec: { finalizers: 'kubernetes' } }],
  'core/nodes': [{ spec: { unschedulable: 'true' } }],
  'core/persistentvolumeclaims': [{ spec: { accessModes: 'ReadWriteOnce' } }],
  'core/persistentvolumes': [{ spec: { accessModes: 'ReadWriteOnce' } }],
  'core/pods': [{ spec: { containers: 'one' } }, { spec: { activeDeadlineSeconds: '600' } }],
  'core/podtemplates': [{ template: [] }],
  'core/replicationcontrollers': [{ spec: { replicas: '1' } }],
  'core/resourcequotas': [{ spec: { hard: ['pods'] } }],
  'core/secrets': [{ data: { some: 5 } }],
  'core/serviceaccounts': [{ secrets: 'some-secret' }],
  'core/services': [{ spec: { ports: 80 } }, { spec: { selector: { app: 1 } } }],
  'autoscaling/horizontalpodautoscalers': [{ spec: { maxReplicas: '10' } }],
  'batch/jobs': [{ spec: { parallelism: '1' } }],
  'extensions/daemonsets': [{ spec: { selector: 'app' } }],
  'extensions/deployments': [
    { spec: { template: 'some' } },
    { spec: { paused: 'true' } },
    { spec: { minReadySeconds: 1.5 } },
  ],
  'extensions/horizontalpodautoscalers': [{ spec: { maxReplicas: 2 ** 31 } }],
  'extensions/ingresses': [{ spec: { rules: {} } }],
  'extensions/replicasets': [{ spec: { replicas: true } }],
  'extensions/thirdpartyresources': [{ versions: 'v1' }],
};

const wrongMetadata: Readonly<Record<string, readonly JsonObject[]>> = {
  'a number for a name': [{ metadata: { generateName: 5 } }],
  'labels as a list': [{ metadata: { labels: ['a'] } }],
  'a number for a label': [{ metadata: { labels: { some: 5 } } }],
};

const patchTypes = ['mergePatch', 'strategicMergePatch', 'jsonPatch'] as const;

interface WrongType {
  /** The create and the replace. */
  readonly replies: readonly Reply[];
  /** The replace as YAML, and the patches: a server may not read YAML, and early ones answer 500 to such a patch. */
  readonly refused: readonly Reply[];
  /** What the create made. */
  readonly created: JsonObject | undefined;
  readonly before: JsonObject;
  readonly after: JsonObject | undefined;
}

/** Creates, replaces and patches an object with each wrong JSON type of the variant. */
export async function writeWrongTypes(subject: OperationSubject, context: Context): Promise<WrongType[]> {
  const { client, sandbox } = context;
  const { variant = '' } = subject;
  const resource = resourceOf(subject.operation);
  const wrongs = wrongMetadata[variant] ?? wrongFields[resourceId(resource)] ?? fail(`no wrong type for ${subject.id}`);
  const namespace = await placeOf(sandbox, resource);
  const made = await sandbox.make(resource, defined({ namespace }));
  const path = pathTo(resource, 'patch', namespace, made.name);
  const written: WrongType[] = [];
  for (const wrong of wrongs) {
    const { reply, after: created } = await tryCreate(context, resource, wrong);
    const before = (await sandbox.current(made)) ?? made.object;
    const replies = [reply, await sandbox.put(made, (object) => merge(object, wrong))];
    const headers = { 'content-type': 'application/yaml' };
    const refused = [
      await client.send({ method: 'PUT', path, headers, body: encodeBody('yaml', merge(before, wrong)) }),
    ];
    for (const type of patchTypes)
      refused.push(await client.send({ method: 'PATCH', path, ...patchBody(type, wrong, before) }));
    written.push({ replies, refused, created, before, after: await sandbox.current(made) });
  }
  return written;
}

/** Throws Failure unless each write was refused, a create and a replace as a bad request, and stored nothing. */
export function areBadRequests(written: readonly WrongType[]): void {
  for (const { replies, refused, created, before, after } of written) {
    for (const reply of replies) {
      status(reply, 400);
      statusObject(reply, 'BadRequest');
    }
    if (created !== undefined) fail(`${replies[0]?.request}: the object was created`);
    for (const reply of refused)
      if (reply.status < 400) fail(`${reply.request}: expected a refusal, got ${reply.status} ${reply.excerpt()}`);
    isUnchanged(before, after, `${replies[1]?.request} and others of a wrong type: the object afterwards`);
  }
}
