// What the status of a job may become: since jobs can have managers other than the controller, servers check what these
// write. Only what a write changes is checked, so that a job whose spec has changed can be mended.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { type Causes, noValue } from '../../../schema/causes.js';
import { equal, type KubeObject, part } from '../../../schema/object.js';
import { countOf } from './jobRules.js';

type Status = Partial<ObjectOf<'batch.v1.JobStatus'>>;

const statusOf = (job: KubeObject): Status => part<Status>(job, 'status');
const specOf = (job: KubeObject) => part<Partial<ObjectOf<'batch.v1.JobSpec'>>>(job, 'spec');

const isSet = ({ conditions = [] }: Status, type: string, status = 'True'): boolean =>
  conditions.some((condition) => condition.type === type && condition.status === status);
const isFinished = (status: Status): boolean => isSet(status, 'Complete') || isSet(status, 'Failed');

/** Checks a status of a job against the one before. */
export function validateJobStatus(next: KubeObject, current: KubeObject, causes: Causes): void {
  const [status, before] = [statusOf(next), statusOf(current)];
  checkPods(status, causes);
  checkConditions(status, before, specOf(next).successPolicy !== undefined, causes);
  checkTimes(next, current, causes);
  if (isFinished(status)) checkFinished(status, before, causes);
  checkIndexes(next, before, causes);
  const { active = 0, ready, failed = 0, succeeded = 0 } = status;
  const areChanged = ready !== before.ready || active !== (before.active ?? 0);
  if (areChanged && ready !== undefined && ready > active) {
    causes.invalid('status.ready', ready, 'cannot set more ready pods than active');
  }
  if (failed < (before.failed ?? 0)) causes.invalid('status.failed', failed, 'cannot decrease the failed counter');
  const { completionMode, completions, parallelism } = specOf(next);
  const isElastic = completionMode === 'Indexed' && completions === parallelism;
  if (succeeded < (before.succeeded ?? 0) && !isElastic) {
    causes.invalid('status.succeeded', succeeded, 'cannot decrease the succeeded counter');
  }
}

/** No pod is counted twice. */
function checkPods({ uncountedTerminatedPods: pods }: Status, causes: Causes): void {
  const seen = new Set<string>();
  for (const field of ['succeeded', 'failed'] as const) {
    for (const [index, uid] of (pods?.[field] ?? []).entries()) {
      const at = `status.uncountedTerminatedPods.${field}[${index}]`;
      if (uid === '') causes.invalid(at, uid, 'must not be empty');
      else if (seen.has(uid)) causes.duplicate(at, uid);
      seen.add(uid);
    }
  }
}

function checkConditions(status: Status, before: Status, hasPolicy: boolean, causes: Causes): void {
  const says = (what: string) => causes.invalid('status.conditions', noValue, `cannot ${what}`);
  const [isComplete, hasFailed, isMet, fails] = ['Complete', 'Failed', 'SuccessCriteriaMet', 'FailureTarget'].map(
    (type) => isSet(status, type),
  );
  const changes = (...types: readonly string[]) => types.some((type) => isSet(status, type) !== isSet(before, type));
  if (isComplete && hasFailed && changes('Complete', 'Failed')) says('set Complete=True and Failed=true conditions');
  if (isComplete && fails && changes('Complete', 'FailureTarget')) {
    says('set Complete=True and FailureTarget=true conditions');
  }
  if (hasFailed && !fails && (changes('Failed') || status.failedIndexes !== before.failedIndexes)) {
    says('set Failed=True condition without the FailureTarget=true condition');
  }
  if (isComplete && !isMet && changes('Complete', 'SuccessCriteriaMet')) {
    says('set Complete=True condition without the SuccessCriteriaMet=true condition');
  }
  if (isMet && hasFailed) says('set SuccessCriteriaMet=True and Failed=true conditions');
  if (isMet && fails) says('set SuccessCriteriaMet=True and FailureTarget=true conditions');
  if (hasPolicy && !isMet && isComplete) {
    says('set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
  }
  for (const type of ['Failed', 'Complete', 'FailureTarget']) {
    if (isSet(before, type) && !isSet(status, type)) says(`disable the terminal ${type}=True condition`);
  }
  if (isSet(before, 'SuccessCriteriaMet') && !isMet) says('disable the SuccessCriteriaMet=True condition');
  if (isSet(before, 'Complete') && !isSet(before, 'SuccessCriteriaMet') && isMet) {
    says('set SuccessCriteriaMet=True for Job already has Complete=true conditions');
  }
}

function checkTimes(next: KubeObject, current: KubeObject, causes: Causes): void {
  const [status, before] = [statusOf(next), statusOf(current)];
  const { startTime: start, completionTime: end } = status;
  const [hasStarted, hasEnded] = [start !== before.startTime, end !== before.completionTime];
  const [isComplete, wasComplete] = [isSet(status, 'Complete'), isSet(before, 'Complete')];
  const field = 'status.completionTime';
  if (isComplete !== wasComplete || hasEnded) {
    if (end && !isComplete) {
      causes.invalid(field, end, 'cannot set completionTime when there is no Complete=True condition');
    }
    if (!end && isComplete) causes.required(field, 'completionTime is required for Complete jobs');
  }
  if ((hasStarted || hasEnded) && start && end && Date.parse(end) < Date.parse(start)) {
    causes.invalid(field, end, 'must be equal to or after `startTime`');
  }
  if (end && before.completionTime && hasEnded) causes.immutable(field, end, false);
  const isSuspended = specOf(next).suspend === true;
  const isResuming = isSet(before, 'Suspended') && isSet(status, 'Suspended', 'False');
  if (before.startTime && hasStarted && !isSuspended && !isResuming) {
    causes.invalid('status.startTime', start ?? null, 'field is immutable for unsuspended job once set');
  }
  const hasNothingToDo = isSuspended && specOf(next).completions === 0;
  const finishes = isFinished(status) && !isFinished(before);
  if (isFinished(status) && !start && (finishes || hasStarted) && !hasNothingToDo) {
    causes.required('status.startTime', 'startTime is required for finished job');
  }
}

function checkFinished(status: Status, before: Status, causes: Causes): void {
  const finishes = !isFinished(before);
  for (const field of ['active', 'terminating'] as const) {
    const count = status[field] ?? 0;
    if (count > 0 && (finishes || count !== before[field])) {
      causes.invalid(`status.${field}`, count, `${field}>0 is invalid for finished job`);
    }
  }
  const pods = status.uncountedTerminatedPods;
  const isChanged = finishes || !equal(pods, before.uncountedTerminatedPods);
  if (isChanged && (pods?.failed ?? []).length + (pods?.succeeded ?? []).length > 0) {
    causes.invalid('status.uncountedTerminatedPods', pods, 'must be empty for finished job');
  }
}

function checkIndexes(job: KubeObject, before: Status, causes: Causes): void {
  const { completions, completionMode, backoffLimitPerIndex } = specOf(job);
  const { completedIndexes: completed = '', failedIndexes: failed } = statusOf(job);
  const parse = (field: string, text: string) => {
    const count = completions === undefined ? 0 : countOf(text, completions);
    if (typeof count === 'string') causes.invalid(`status.${field}`, text, `error parsing ${field}: ${count}`);
  };
  if (completed !== (before.completedIndexes ?? '')) {
    parse('completedIndexes', completed);
    if (completed !== '' && completionMode !== 'Indexed') {
      const why = 'cannot set non-empty completedIndexes when non-indexed completion mode';
      causes.invalid('status.completedIndexes', completed, why);
    }
  }
  if (failed === undefined || failed === before.failedIndexes) return;
  if (backoffLimitPerIndex === undefined) {
    const why = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    causes.invalid('status.failedIndexes', failed, why);
  } else parse('failedIndexes', failed);
}
