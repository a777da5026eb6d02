// The conditions in the status of an object.
import { timestamp } from '../registry/metadata.js';

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

/** Returns the conditions with one of them as it is now. Its time changes only with its status. */
export function withCondition<One extends Condition>(
  conditions: readonly One[],
  next: Omit<One, 'lastTransitionTime'>,
  now: Date,
): readonly One[] {
  const known = conditions.find(({ type }) => type === next.type);
  const isSame = known?.status === next.status;
  const lastTransitionTime = (isSame && known?.lastTransitionTime) || timestamp(now);
  const { type, status, reason, message } = next;
  const condition = { type, status, lastTransitionTime, reason, message } as One & Condition;
  return known === undefined ? [...conditions, condition] : conditions.map((one) => (one === known ? condition : one));
}
