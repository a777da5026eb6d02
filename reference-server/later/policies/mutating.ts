// Lets mutating policies change the object of a request, one after the other.
import { isDeepStrictEqual } from 'node:util';
import { forbidden } from '../../errors.js';
import type { KubeObject } from '../../schema/object.js';
import { StatusError } from '../../statusError.js';
import { doInTurns } from '../../turns.js';
import type { Revision } from '../webhooks/asker.js';
import type { Subject } from '../webhooks/subject.js';
import { PolicyFailure } from './compiled.js';
import {
  askedBy,
  type Cluster,
  type Invocation,
  invocationsOf,
  type Misconfigured,
  namespaceOf,
} from './invocations.js';
import { patchedBy } from './patching.js';
import type { BoundPolicy } from './registered.js';

/** A policy that could not be followed. */
interface Problem extends Misconfigured {
  /** That of the Status; Forbidden by default. */
  readonly reason?: string;
}

/** Returns the object as policies want it. Throws the Status that refuses the request. */
export async function revise(
  policies: readonly BoundPolicy[],
  subject: Subject,
  object: KubeObject | undefined,
  cluster: Cluster,
): Promise<Revision> {
  const found = await invocationsOf(policies, subject, object, cluster);
  if (found.length === 0) return { object };
  const namespace = await namespaceOf(subject, cluster);
  const mutation = new Mutation(subject, namespace, cluster);
  const called: Invocation[] = [];
  const due = new Set<Invocation>();
  let current = object;
  for (const invocation of found) {
    if ('why' in invocation) {
      mutation.problems.push(invocation);
      continue;
    }
    const next = await mutation.by(invocation, current);
    if (next === undefined) continue;
    if (next.isChanged) for (const earlier of called) due.add(earlier);
    current = next.object;
    if (invocation.policy.spec.reinvocationPolicy === 'IfNeeded') called.push(invocation);
  }
  mutation.requireFollowed(object);
  if (called.length === 0) return { object: current };
  const again = async (completed: KubeObject, isOthers: boolean): Promise<KubeObject> => {
    let result = completed;
    for (const invocation of isOthers ? called : called.filter((one) => due.has(one))) {
      result = (await mutation.by(invocation, result))?.object ?? result;
    }
    mutation.requireFollowed(result);
    return result;
  };
  return { object: current, again };
}

/** What happens to the object of one request. */
class Mutation {
  readonly problems: Problem[] = [];

  constructor(
    readonly subject: Subject,
    readonly namespace: object | undefined,
    readonly cluster: Cluster,
  ) {}

  /** Returns the object as a policy wants it; undefined if its conditions do not hold, or cannot be evaluated. */
  async by(invocation: Invocation, object: KubeObject | undefined) {
    const { policy, binding, resource } = invocation;
    const { subject } = this;
    const { compiled, spec } = policy;
    const asked = askedBy(invocation, subject, object, this.namespace, this.cluster.decide());
    const isMet = await this.#attempted({ policy, binding }, async () => doInTurns(compiled.meetsConditions(asked)));
    if (isMet !== true) return undefined;
    let current = object;
    for (const [index, { patchType }] of (spec.mutations ?? []).entries()) {
      if (current === undefined) break;
      const before: KubeObject = current;
      const next = await this.#attempted({ policy, binding }, async () => {
        const now = { ...asked, object: subject.shown(before, resource) };
        const expression = compiled.mutations[index];
        if (expression === undefined) return before;
        return patchedBy(expression, compiled.run(now), patchType, { subject, resource, object: before });
      });
      current = next ?? current;
    }
    return { object: current, isChanged: this.#isChanged(object, current, invocation) };
  }

  #isChanged(before: KubeObject | undefined, after: KubeObject | undefined, { resource }: Invocation): boolean {
    if (before === after || before === undefined || after === undefined) return false;
    return !isDeepStrictEqual(this.subject.shown(before, resource), this.subject.shown(after, resource));
  }

  /** Returns the result; undefined for a policy that cannot be followed, which is then a problem. */
  async #attempted<Result>(who: Omit<Problem, 'why'>, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PolicyFailure)) throw error;
      this.problems.push({ ...who, why: error.message, reason: 'Invalid' });
      return undefined;
    }
  }

  /** Throws 403 if a policy that must be followed could not be. */
  requireFollowed(object: KubeObject | undefined): void {
    const problems = this.problems.splice(0).filter(({ policy }) => policy.spec.failurePolicy !== 'Ignore');
    const [first] = problems;
    if (first === undefined) return;
    const { resource, name } = this.subject;
    const { details } = forbidden(resource, name || object?.metadata.name || 'Unknown', '');
    const causes = problems.map((problem) => ({ message: messageOf(problem) }));
    throw new StatusError(403, first.reason ?? 'Forbidden', messageOf(first), { ...details, causes });
  }
}

const messageOf = ({ policy, binding, why }: Misconfigured): string =>
  binding === undefined
    ? `policy ${JSON.stringify(policy.name)} denied request: ${why}`
    : `policy '${policy.name}' with binding '${binding.name}' denied request: ${why}`;
