// Asks validating policies about a request: they deny it, warn of it, or note it in the audit log.
import { forbidden } from '../../errors.js';
import type { KubeObject } from '../../schema/object.js';
import { StatusError } from '../../statusError.js';
import { doInTurns, type Steps } from '../../turns.js';
import type { Asked } from '../cel/admission.js';
import type { Subject } from '../webhooks/subject.js';
import { evaluated, PolicyFailure, type Run } from './compiled.js';
import { askedBy, type Cluster, type Invocation, invocationsOf, namespaceOf } from './invocations.js';
import type { Binding, BoundPolicy, Policy } from './registered.js';

/** What one validation says of a request that it does not admit. */
interface Failure {
  readonly index: number;
  readonly message: string;
  readonly reason?: string;
}

/** What a policy says of a request. */
interface Judgement {
  readonly failures: readonly Failure[];
  readonly annotations: readonly (readonly [key: string, value: string])[];
  /** What denies the request whatever the actions of the binding are. */
  readonly errors: readonly string[];
}

interface Denial {
  readonly policy: BoundPolicy;
  readonly binding?: Binding;
  readonly message: string;
  readonly reason?: string;
}

const codes: Readonly<Record<string, number>> = { Forbidden: 403, Invalid: 422, RequestEntityTooLarge: 413 };

/** Throws the Status that refuses the request. */
export async function review(
  policies: readonly BoundPolicy[],
  subject: Subject,
  object: KubeObject | undefined,
  cluster: Cluster,
): Promise<void> {
  const invocations = await invocationsOf(policies, subject, object, cluster);
  if (invocations.length === 0) return;
  const namespace = await namespaceOf(subject, cluster);
  const denials: Denial[] = [];
  const noted: object[] = [];
  const annotations = new Map<string, Set<string>>();
  for (const invocation of invocations) {
    if ('why' in invocation) {
      const { why: message, ...who } = invocation;
      if (who.policy.spec.failurePolicy !== 'Ignore') denials.push({ ...who, message });
      continue;
    }
    const asked = askedBy(invocation, subject, object, namespace, cluster.decide());
    const judgement = await doInTurns(judged(invocation.policy, asked));
    denials.push(...consequences(invocation, judgement, subject, noted));
    for (const [key, value] of judgement.annotations) {
      const name = `${invocation.policy.name}/${key}`;
      annotations.set(name, (annotations.get(name) ?? new Set()).add(value));
    }
  }
  for (const [name, values] of annotations) subject.origin.annotate(name, [...values].join(', '));
  if (noted.length > 0) {
    const value = JSON.stringify(noted.slice(0, mostNoted));
    subject.origin.annotate('validation.policy.admission.k8s.io/validation_failure', value);
  }
  const [first] = denials;
  if (first !== undefined) throw refusal(first, subject, object);
}

/** The most failures in the audit log for one request. */
const mostNoted = 50;

/** Warns and notes what the binding wants. Returns the denials. */
function consequences(
  { policy, binding }: Invocation,
  { failures, errors }: Judgement,
  { origin }: Subject,
  noted: object[],
): readonly Denial[] {
  const denials: Denial[] = [];
  const actions = binding.spec.validationActions ?? [];
  for (const { index, ...failure } of failures) {
    const { message } = failure;
    if (actions.includes('Deny')) denials.push({ policy, binding, ...failure });
    if (actions.includes('Audit')) {
      const where = { policy: policy.name, binding: binding.name, expressionIndex: index };
      noted.push({ message, ...where, validationActions: actions });
    }
    if (actions.includes('Warn')) {
      const who = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
      origin.warn(`Validation failed for ${who}: ${message}`);
    }
  }
  return [...denials, ...errors.map((message) => ({ policy, binding, message }))];
}

/** Returns what a policy says of a request. */
function* judged(policy: Policy, asked: Asked): Steps<Judgement> {
  const isIgnored = policy.spec.failurePolicy === 'Ignore';
  try {
    if (!(yield* policy.compiled.meetsConditions(asked))) return { failures: [], annotations: [], errors: [] };
    const failures = yield* failuresOf(policy, policy.compiled.run(asked), isIgnored);
    return { failures, ...(yield* annotationsOf(policy, policy.compiled.run(asked), isIgnored)) };
  } catch (error) {
    if (!(error instanceof PolicyFailure)) throw error;
    return { failures: isIgnored ? [] : [{ index: 0, message: error.message }], annotations: [], errors: [] };
  }
}

function* failuresOf({ spec, compiled }: Policy, run: Run, isIgnored: boolean): Steps<readonly Failure[]> {
  const failures: Failure[] = [];
  const broken: number[] = [];
  for (const [index, validation] of compiled.validations.entries()) {
    const outcome = evaluated(validation, run);
    if ('failure' in outcome) {
      if (!isIgnored) failures.push({ index, message: outcome.failure });
    } else if (outcome.value !== true) broken.push(index);
    yield;
  }
  for (const index of broken) {
    const { reason = 'Invalid', message, expression = '' } = spec.validations?.[index] ?? {};
    const made = messageOf(compiled.messages[index], run);
    const fallback = message?.trim() || `failed expression: ${expression.trim()}`;
    failures.push({ index, message: made || fallback, reason });
    yield;
  }
  return failures.sort((one, other) => one.index - other.index);
}

/** The longest message that an expression may give, in bytes. */
const longestMessage = 5 * 1024;

/** Returns the message that an expression makes; empty if it makes none that can be used. */
function messageOf(expression: Parameters<typeof evaluated>[0] | undefined, run: Run): string {
  if (expression === undefined) return '';
  const outcome = evaluated(expression, run);
  const text = 'value' in outcome && typeof outcome.value === 'string' ? outcome.value.trim() : '';
  return text.includes('\n') || Buffer.byteLength(text) > longestMessage ? '' : text;
}

/** The longest value of an annotation, in bytes. */
const longestValue = 10 * 1024;

function* annotationsOf(
  { spec, compiled }: Policy,
  run: Run,
  isIgnored: boolean,
): Steps<Pick<Judgement, 'annotations' | 'errors'>> {
  const annotations: (readonly [string, string])[] = [];
  const errors: string[] = [];
  for (const [index, annotation] of compiled.annotations.entries()) {
    const outcome = evaluated(annotation, run);
    if ('failure' in outcome) {
      if (!isIgnored) errors.push(outcome.failure);
    } else if (typeof outcome.value === 'string' && outcome.value.trim() !== '') {
      const value = Buffer.from(outcome.value.trim()).subarray(0, longestValue).toString();
      annotations.push([spec.auditAnnotations?.[index]?.key ?? '', value]);
    }
    yield;
  }
  return { annotations, errors };
}

function refusal({ policy, binding, message, reason = 'Invalid' }: Denial, subject: Subject, object?: KubeObject) {
  const by = binding === undefined ? '' : ` with binding '${binding.name}'`;
  const why = `ValidatingAdmissionPolicy '${policy.name}'${by} denied request: ${message}`;
  const { name = '', generateName = '' } = object?.metadata ?? {};
  const refused = forbidden(subject.resource, subject.name || name || generateName || 'Unknown', why);
  return new StatusError(codes[reason] ?? 422, reason, refused.message, {
    ...refused.details,
    causes: [{ message: why }],
  });
}
