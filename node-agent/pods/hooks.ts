// The hooks of a container: after its start, and before its end.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { EventType } from '../api/eventRecorder.js';
import { type HandlerTarget, runHook } from './handlers.js';

export interface HookPlace extends HandlerTarget {
  /** `NAME_NAMESPACE(UID)` */
  readonly pod: string;
  event(type: EventType, reason: string, message: string): void;
}

/** Runs the hook after the start, if there is one. Resolves with false if it fails. */
export const runPostStart = (place: HookPlace): Promise<boolean> =>
  run(place.spec.lifecycle?.postStart, place, 'FailedPostStartHook', place.container.signal);

/** Runs the hook before the end, until the signal. */
export const runPreStop = (place: HookPlace, signal: AbortSignal): Promise<boolean> =>
  run(place.spec.lifecycle?.preStop, place, 'FailedPreStopHook', signal);

async function run(
  hook: ObjectOf<'LifecycleHandler'> | undefined,
  place: HookPlace,
  reason: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (hook === undefined) return true;
  const { result, message } = await runHook(hook, place, signal);
  if (result === 'success' || signal.aborted) return true;
  const name = `for Container "${place.spec.name}" in Pod "${place.pod}"`;
  place.event('Warning', reason, `${describe(hook)} ${name} failed - ${message}`);
  return false;
}

function describe({ exec, httpGet }: ObjectOf<'LifecycleHandler'>): string {
  if (exec !== undefined) return `Exec lifecycle hook ([${exec.command?.join(' ')}])`;
  return httpGet === undefined ? 'Lifecycle hook' : `HTTP lifecycle hook (${httpGet.path ?? ''})`;
}
