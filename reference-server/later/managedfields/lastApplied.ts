// The annotation of client-side apply, which says what kubectl has written.
import { jsonText, parseJson } from '../../exactJson.js';
import { isRecord, type KubeObject } from '../../schema/object.js';
import type { Steps } from '../../turns.js';
import { changedPaths, compare } from './compare.js';
import { difference, type FieldSet, none } from './fieldSet.js';
import { appliedPaths } from './owned.js';
import { BadItem } from './steps.js';
import type { Version } from './update.js';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** A longer configuration would not fit into the annotations of an object. */
const longest = 256 * 1024;

/** Returns the paths of the last client-side apply that still have its values. */
export function* agreedWithLastApplied(live: KubeObject, { apiVersion, shape }: Version): Steps<FieldSet> {
  const config = parsed(live.metadata.annotations?.[annotation]);
  if (config?.apiVersion !== apiVersion) return none;
  try {
    const set = yield* appliedPaths(shape, config);
    const comparison = yield* compare(shape, config, live);
    return difference(difference(set, changedPaths(comparison)), comparison.removed);
  } catch (error) {
    if (error instanceof BadItem) return none;
    throw error;
  }
}

function parsed(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const config: unknown = parseJson(text ?? '');
    return isRecord(config) ? config : undefined;
  } catch {
    return undefined;
  }
}

/** Returns an object whose annotation, if there is one, says what is applied now, so that client-side apply still works. */
export function syncedLastApplied(object: KubeObject, config: Readonly<Record<string, unknown>>): KubeObject {
  const annotations = object.metadata?.annotations;
  if (annotations?.[annotation] === undefined) return object;
  const text = `${jsonText(withoutAnnotation(config))}\n`;
  if (text.length > longest) return object;
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [annotation]: text } } };
}

function withoutAnnotation(config: Readonly<Record<string, unknown>>): unknown {
  const { metadata } = config;
  if (!isRecord(metadata) || !isRecord(metadata.annotations)) return config;
  const { [annotation]: _own, ...annotations } = metadata.annotations;
  return { ...config, metadata: { ...metadata, annotations } };
}
