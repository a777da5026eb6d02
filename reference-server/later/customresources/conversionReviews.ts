// Conversion by webhooks: what they are asked, and what their answers may change. The words are those of real servers.

import { randomUUID } from 'node:crypto';
import { jsonText } from '../../exactJson.js';
import { validateAnnotations, validateLabels } from '../../registry/metadata.js';
import { Causes } from '../../schema/causes.js';
import { kindInGo } from '../../schema/goText.js';
import { isRecord, type KubeObject } from '../../schema/object.js';
import { StatusError } from '../../statusError.js';
import type { ClientConfig } from '../webhooks/configurationRules.js';

type Fields = Readonly<Record<string, unknown>>;

/** Posts a review, and returns the JSON object of the answer. */
export type CallWebhook = (config: ClientConfig, review: object) => Promise<Fields>;

/** The webhook of a definition. */
export interface WebhookConversion {
  readonly clientConfig?: ClientConfig;
  readonly conversionReviewVersions?: readonly string[];
}

const group = 'apiextensions.k8s.io';
/** The versions of reviews that the server can send. */
const known = ['v1', 'v1beta1'];
/** The most bytes of objects in one review, unless one object has more. */
const mostBytes = 2 * 1024 * 1024;

/** Returns objects in another version, which a webhook converts. Rejects with a Status in the words of real servers. */
export async function convertedBy(
  { clientConfig = {}, conversionReviewVersions = [] }: WebhookConversion,
  call: CallWebhook,
  objects: readonly KubeObject[],
  apiVersion: string,
): Promise<readonly KubeObject[]> {
  const version = conversionReviewVersions.find((one) => known.includes(one));
  const converted: KubeObject[] = [];
  for (const batch of batchesOf(objects)) {
    const [first] = batch;
    if (first === undefined) continue;
    const what = `conversion webhook for ${first.apiVersion}, Kind=${first.kind}`;
    if (version === undefined) throw failure('no supported conversion review versions');
    const uid = randomUUID();
    const review = {
      kind: 'ConversionReview',
      apiVersion: `${group}/${version}`,
      request: { uid, desiredAPIVersion: apiVersion, objects: batch },
    };
    let answers: readonly unknown[];
    try {
      answers = objectsIn(await call(clientConfig, review), review.apiVersion, uid);
    } catch (error) {
      throw failure(`${what} failed: ${error instanceof Error ? error.message : error}`);
    }
    if (answers.length !== batch.length) {
      throw failure(`${what} returned ${answers.length} objects, expected ${batch.length}`);
    }
    for (const [index, object] of batch.entries())
      converted.push(taken(object, answers[index], apiVersion, index, what));
  }
  return converted;
}

/** The status of real servers for what a webhook does wrong. */
const failure = (message: string): StatusError => new StatusError(500, '', message);

function* batchesOf(objects: readonly KubeObject[]): Generator<readonly KubeObject[]> {
  let batch: KubeObject[] = [];
  let bytes = 0;
  for (const object of objects) {
    const size = jsonText(object).length;
    if (batch.length > 0 && bytes + size > mostBytes) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(object);
    bytes += size;
  }
  yield batch;
}

/** Returns the objects of an answer. Throws an Error for one that breaks the rules, or says that the conversion failed. */
function objectsIn({ apiVersion, kind, response }: Fields, asked: string, uid: string): readonly unknown[] {
  const isV1 = asked === `${group}/v1`;
  if (isV1 && (apiVersion !== asked || kind !== 'ConversionReview')) {
    throw new Error(`expected webhook response of ${asked}, Kind=ConversionReview, got ${kindInGo(apiVersion, kind)}`);
  }
  if (!isRecord(response)) throw new Error('no response provided');
  if (isV1 && response.uid !== uid) {
    throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`);
  }
  const { status = '', message } = isRecord(response.result) ? response.result : {};
  if (status !== 'Success') {
    if (typeof message === 'string' && message !== '') throw new Error(message);
    throw new Error(`response.result.status was '${status}', not 'Success'`);
  }
  return Array.isArray(response.convertedObjects) ? response.convertedObjects : [];
}

/** Takes a converted object, with the metadata of the original: a webhook may change labels and annotations only. */
function taken(original: KubeObject, given: unknown, apiVersion: string, index: number, what: string): KubeObject {
  const refuse = (why: string): never => {
    throw failure(`${what} returned invalid converted object at index ${index}: ${why}`);
  };
  if (!isRecord(given)) return refuse('it is not an object');
  if (given.apiVersion !== apiVersion) {
    refuse(`invalid groupVersion (expected ${apiVersion}, received ${given.apiVersion ?? ''})`);
  }
  if (given.kind !== original.kind) refuse(`invalid kind (expected ${original.kind}, received ${given.kind ?? ''})`);
  const { metadata } = given;
  const fields = isRecord(metadata) ? metadata : {};
  for (const [name, called] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [was = '', is = ''] = [original.metadata[name], fields[name]];
    if (was !== is) refuse(`must have the same ${called}: ${was} != ${is}`);
  }
  const wrong = (why: string): never => {
    throw failure(`${what} returned invalid metadata in object at index ${index}: ${why}`);
  };
  if (metadata === undefined) wrong('missing metadata in converted object');
  if (!isRecord(metadata)) wrong('invalid metadata in converted object');
  const { labels: _labels, annotations: _annotations, ...kept } = original.metadata;
  const labels = textsIn(fields, 'labels', wrong);
  const annotations = textsIn(fields, 'annotations', wrong);
  const causes = new Causes();
  validateLabels('metadata.labels', labels, causes);
  validateAnnotations(annotations, causes);
  const [mistake] = causes.list;
  if (mistake !== undefined) wrong(`${mistake.field}: ${mistake.message}`);
  return {
    ...given,
    metadata: { ...kept, ...(labels && { labels }), ...(annotations && { annotations }) },
  } as KubeObject;
}

function textsIn(
  metadata: Fields,
  name: 'labels' | 'annotations',
  refuse: (why: string) => never,
): Readonly<Record<string, string>> | undefined {
  const given = metadata[name];
  if (given === undefined || given === null) return undefined;
  if (!isRecord(given)) return refuse(`invalid metadata.${name} in converted object`);
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== 'string') refuse(`metadata.${name}[${key}] must be a string in converted object`);
  }
  return given as Readonly<Record<string, string>>;
}
