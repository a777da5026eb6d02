// Names and labels: the forms that each kind accepts, and those that it refuses.

import { resourceId } from '../../matrix/api/index.js';
import { fail, holds, success } from '../client/expect.js';
import type { JsonObject } from '../client/json.js';
import { resourceOf } from '../client/paths.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/worker.js';
import { didNothing, isInvalid, namesField, type Refusal, tryCreate } from './refusals.js';

const padded = (name: string, length: number): string => `${name}-${'a'.repeat(length - name.length - 1)}`;

/** Returns a name of each form, made from a valid one. */
const forms: Readonly<Record<string, (name: string) => string>> = {
  'a dot': (name) => `${name}.more`,
  'a leading digit': (name) => `9-${name}`,
  'upper case': (name) => `${name}-Upper`,
  'an underscore': (name) => `${name}_more`,
  'a trailing dash': (name) => `${name}-`,
  '63 characters': (name) => padded(name, 63),
  '64 characters': (name) => padded(name, 64),
  '254 characters': (name) => padded(name, 254),
};

/** The valid forms of a DNS subdomain, which most kinds accept. */
const subdomain = ['a dot', 'a leading digit', '63 characters', '64 characters'];
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'core/namespaces': ['a leading digit', '63 characters'],
  'core/services': ['63 characters'],
  'core/events': Object.keys(forms),
  // The name of a job becomes a label value of its pods.
  'batch/jobs': ['a dot', 'a leading digit', '63 characters'],
};

/** The forms that some versions of the kind refuse and others accept. */
const free: Readonly<Record<string, readonly string[]>> = { 'core/services': ['a leading digit'] };

/** Creates an object with a name of the variant's form. */
export async function tryName(subject: OperationSubject, context: Context) {
  const resource = resourceOf(subject.operation);
  const variant = subject.variant ?? '';
  const form = forms[variant] ?? fail(`no name for ${variant}`);
  const own = form(context.sandbox.name(resource));
  const allowed = (exceptions[resourceId(resource)] ?? subdomain).includes(variant);
  const open = free[resourceId(resource)]?.includes(variant) === true;
  const field = resourceId(resource) === 'batch/jobs' ? ['metadata.name', jobNameLabel] : 'metadata.name';
  return { allowed, open, own, field, ...(await tryCreate(context, resource, {}, own)) };
}

const jobNameLabel = 'spec.template.labels';

/** Throws Failure unless a valid name is kept and an invalid one is refused with its field. */
export function nameIsJudged(record: Awaited<ReturnType<typeof tryName>>): void {
  if (record.allowed || (record.open && record.reply.status < 300)) {
    success(record.reply);
    holds(record.after, { metadata: { name: record.own } }, `${record.reply.request}, then read`);
    return;
  }
  isInvalid(record);
  if (record.own.length !== 64) namesField(record);
  didNothing(record);
}

const labels = (key: string, value: string): JsonObject => ({ metadata: { labels: { [key]: value } } });

/** Invalid labels and annotations, and the field that the causes must name. */
const wrongLabels: Readonly<Record<string, readonly [over: JsonObject, field: string]>> = {
  'a key with a space': [labels('a b', 'some'), 'metadata.labels'],
  'a key with two slashes': [labels('example.com/a/b', 'some'), 'metadata.labels'],
  'a key of 64 characters': [labels('k'.repeat(64), 'some'), 'metadata.labels'],
  'a value with a space': [labels('some', 'a b'), 'metadata.labels'],
  'a value of 64 characters': [labels('some', 'v'.repeat(64)), 'metadata.labels'],
  'an annotation key with a space': [{ metadata: { annotations: { 'a b': 'some' } } }, 'metadata.annotations'],
};

/** Creates an object with the variant's invalid label. */
export async function tryLabels(subject: OperationSubject, context: Context): Promise<Refusal> {
  const [over, field] = wrongLabels[subject.variant ?? ''] ?? fail(`no labels for ${subject.variant}`);
  return { field, ...(await tryCreate(context, resourceOf(subject.operation), over)) };
}
