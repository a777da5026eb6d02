// Single fields: unknown fields, quantities, the data of Secrets, the stated fields of Deployments.
import { defined } from '../../matrix/api/index.js';
import { clientError, fail, holds, oneOf, status, success } from '../client/expect.js';
import { at, brief, isObject, type Json, type JsonObject, merge } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { sampleOf } from '../objects/samples/index.js';
import { noNode } from '../objects/samples/sample.js';
import { sendBody } from '../objects/writes.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { placeOf, tryCreate, tryReplace } from './refusals.js';

/** Throws Failure unless the create was refused, with any client error, and created nothing. */
export function isRefused({ reply, after }: Awaited<ReturnType<typeof tryCreate>>): void {
  clientError(reply);
  if (after !== undefined) fail(`${reply.request}: the object was created`);
}

const unknown = 'noSuchField';

interface WrittenUnknown {
  readonly reply: Reply;
  readonly after: JsonObject | undefined;
}

/** Creates an object with unknown fields, then replaces and patches it with them. */
export async function writeUnknown(subject: OperationSubject, context: Context): Promise<WrittenUnknown[]> {
  const { sandbox } = context;
  const resource = resourceOf(subject.operation);
  const inSpec = isObject(sampleOf(resource).fields.spec) ? { spec: { [unknown]: 'some' } } : {};
  const over = { [unknown]: { some: 1 }, metadata: { [unknown]: 'some' }, ...inSpec };
  const { reply, name, after } = await tryCreate(context, resource, over);
  if (after === undefined) return [{ reply, after }];
  const made = { resource, name, sent: {}, object: after, ...defined({ namespace: await placeOf(sandbox, resource) }) };
  const replaced = await tryReplace(sandbox, made, (object) => merge(object, over));
  const path = pathTo(resource, 'patch', made.namespace, name);
  const patched = await sendBody(sandbox, 'PATCH', path, over, 'mergePatch');
  return [{ reply, after }, replaced, { reply: patched, after: await sandbox.current(made) }];
}

/** Throws Failure unless each write succeeded, and the object is there without the unknown fields. */
export function unknownIsDropped(written: readonly WrittenUnknown[]): void {
  for (const { reply, after } of written) {
    success(reply);
    for (const object of [reply.value(), after]) {
      if (!isObject(object)) fail(`${reply.request}: no object: ${brief(object)}`);
      for (const path of [[unknown], ['metadata', unknown], ['spec', unknown]]) {
        if (at(object, ...path) !== undefined) fail(`${reply.request}: ${path.join('.')} is kept`);
      }
    }
  }
}

/** Amounts of storage, each with its equal texts; without texts if the amount is not a quantity. */
const quantities: Readonly<Record<string, readonly [given: Json | undefined, ...same: string[]]>> = {
  '1Gi': ['1Gi', '1Gi', '1024Mi', '1073741824'],
  '1024Mi': ['1024Mi', '1Gi', '1024Mi', '1073741824'],
  '0.5Gi': ['0.5Gi', '512Mi', '0.5Gi', '536870912'],
  '1000M': ['1000M', '1G', '1000M', '1000000000'],
  '1e3': ['1e3', '1e3', '1k', '1000'],
  '12E2': ['12E2', '1200', '1.2k', '12e2', '12E2'],
  '1500m': ['1500m', '1500m', '1.5', '2'],
  '+5': ['+5', '5', '+5'],
  '5': ['5', '5'],
  'a number': [1024, '1024'],
  ten: ['ten'],
  '1GiB': ['1GiB'],
  '1 Gi': ['1 Gi'],
  '1,5': ['1,5'],
  '1.2.3': ['1.2.3'],
  '1mi': ['1mi'],
  '--1': ['--1'],
  nothing: [''],
  'a boolean': [true],
};

/** Creates a claim for the variant's amount. */
export async function createQuantity(subject: OperationSubject, context: Context) {
  const [given, ...same] = quantities[subject.variant ?? ''] ?? fail(`no quantity for ${subject.id}`);
  const over = { spec: { resources: { requests: { storage: given } } } };
  return { same, ...(await tryCreate(context, resourceOf(subject.operation), over)) };
}

/** Throws Failure unless a valid amount is kept and an invalid one is refused. */
export function quantityIsJudged(record: Awaited<ReturnType<typeof createQuantity>>): void {
  const { reply, same, after } = record;
  if (same.length === 0) {
    isRefused(record);
  } else {
    success(reply);
    oneOf(at(after, 'spec', 'resources', 'requests', 'storage'), same, `${reply.request}, then read: the storage`);
  }
}

/** Amounts that are expensive to compute digit by digit. */
const hostileQuantities: Readonly<Record<string, string>> = {
  '1e-1000': '1e-1000',
  '-1e-1000': '-1e-1000',
  'a thousand digits': '9'.repeat(1000),
  'a thousand digits of a fraction': `0.${'0'.repeat(999)}1`,
  '1e-1000000': '1e-1000000',
};

/** Creates a claim for a hostile amount, then sends a list. */
export async function createHostileQuantity(subject: OperationSubject, context: Context) {
  const storage = hostileQuantities[subject.variant ?? ''] ?? fail(`no quantity for ${subject.id}`);
  const resource = resourceOf(subject.operation);
  const { reply } = await tryCreate(context, resource, { spec: { resources: { requests: { storage } } } });
  const path = pathTo(resource, 'list', await context.sandbox.namespace());
  return { reply, next: await context.client.send({ method: 'GET', path }) };
}

/** Throws Failure if the server failed. */
export function goesOn({ reply, next }: Awaited<ReturnType<typeof createHostileQuantity>>): void {
  if (reply.status > 499) fail(`${reply.request}: expected an answer below 500, got ${reply.status}`);
  status(next, 200);
}

/** Bytes that are not text, in base64. */
const binary = Buffer.from([0, 255, 254, 128, 10, 13, 0]).toString('base64');
const secretData = { binary, empty: '', text: Buffer.from('größer').toString('base64') };

/** Creates a Secret with bytes that are easily corrupted. */
export async function createSecret(subject: OperationSubject, context: Context) {
  return tryCreate(context, resourceOf(subject.operation), { data: secretData });
}

/** Throws Failure unless the bytes are unchanged. */
export function bytesAreKept({
  reply,
  after,
}: {
  readonly reply: Reply;
  readonly after: JsonObject | undefined;
}): void {
  success(reply);
  for (const object of [reply.value(), after]) holds(at(object, 'data'), secretData, `${reply.request}: data`);
}

/** Creates a Secret with a value that is not base64. */
export async function createSecretNotBase64(subject: OperationSubject, context: Context) {
  const values: Readonly<Record<string, Json>> = { 'other characters': '***', 'no padding': 'YQ', 'a number': 5 };
  return tryCreate(context, resourceOf(subject.operation), { data: { some: values[subject.variant ?? ''] ?? null } });
}

/** Creates a Secret with `stringData`, then replaces and patches it with more of it. */
export async function writeSecretFromText(subject: OperationSubject, context: Context) {
  const resource = resourceOf(subject.operation);
  const { sandbox } = context;
  const data = subject.variant === 'alone' ? undefined : { both: 'b2xk', kept: 'a2VwdA==' };
  const over = { data: { 'sample-key': undefined, ...data }, stringData: { both: 'new', text: 'größer' } };
  const { reply, name, after } = await tryCreate(context, resource, over);
  const first = { both: 'bmV3', text: 'Z3LDtsOfZXI=', ...defined({ kept: data?.kept }) };
  const steps = [{ reply, after, expected: first }];
  if (after === undefined) return steps;
  const made = { resource, name, sent: {}, object: after, ...defined({ namespace: await placeOf(sandbox, resource) }) };
  const replaced = await sandbox.put(made, (object) => ({ ...object, stringData: { both: 'put' } }));
  const second = { ...first, both: 'cHV0' };
  steps.push({ reply: replaced, after: await sandbox.current(made), expected: second });
  const path = pathTo(resource, 'patch', made.namespace, name);
  const type = data ? 'strategicMergePatch' : 'mergePatch';
  const patched = await sendBody(sandbox, 'PATCH', path, { stringData: { text: 'patch' } }, type);
  steps.push({ reply: patched, after: await sandbox.current(made), expected: { ...second, text: 'cGF0Y2g=' } });
  return steps;
}

/** Throws Failure unless the text is in the data as base64, replaces the data of its key, and is in no other field. */
export function textIsData(steps: Awaited<ReturnType<typeof writeSecretFromText>>): void {
  for (const { reply, after, expected } of steps) {
    success(reply);
    for (const object of [reply.value(), after]) {
      holds(at(object, 'data'), expected, `${reply.request}: data`);
      if (at(object, 'stringData') !== undefined) fail(`${reply.request}: stringData comes back`);
    }
  }
}

/** A template with a value for every stated field, and more than one container. */
const template: JsonObject = {
  metadata: { labels: { app: 'conformance', tier: 'back' }, annotations: { 'example.com/some': 'note' } },
  spec: {
    nodeSelector: noNode,
    terminationGracePeriodSeconds: 7,
    containers: [
      { name: 'main', image: 'registry.example/conformance:1' },
      { name: 'side', image: 'registry.example:5000/side@sha256:0123456789abcdef' },
    ],
  },
};

/** Creates a Deployment with that template. */
export async function createDeployment(subject: OperationSubject, context: Context) {
  return tryCreate(context, resourceOf(subject.operation), { spec: { template } });
}

/** Returns a check that a part of the template is unchanged, with the containers in order. */
export function templateIsKept(part: 'metadata and spec' | 'containers') {
  return ({ reply, after }: Awaited<ReturnType<typeof tryCreate>>): void => {
    success(reply);
    const expected = part === 'containers' ? (at(template, 'spec', 'containers') ?? null) : withoutContainers;
    const path =
      part === 'containers' ? (['spec', 'template', 'spec', 'containers'] as const) : (['spec', 'template'] as const);
    for (const object of [reply.value(), after]) holds(at(object, ...path), expected, `${reply.request}: the template`);
  };
}

const withoutContainers: JsonObject = {
  metadata: template.metadata,
  spec: { terminationGracePeriodSeconds: 7, nodeSelector: noNode },
};

/** Creates a Deployment with the variant's number of replicas; no node matches its pods. */
export async function createReplicas(subject: OperationSubject, context: Context) {
  const wanted: Readonly<Record<string, Json>> = { 'a text': '2', 'a fraction': 1.5, 'a boolean': true };
  const replicas = wanted[subject.variant ?? ''] ?? Number(subject.variant);
  return { replicas, ...(await tryCreate(context, resourceOf(subject.operation), { spec: { replicas, template } })) };
}

/** Throws Failure unless the number is unchanged. */
export function replicasAreKept({ reply, after, replicas }: Awaited<ReturnType<typeof createReplicas>>): void {
  success(reply);
  for (const object of [reply.value(), after])
    holds(at(object, 'spec', 'replicas'), replicas, `${reply.request}: spec.replicas`);
}
