// The rules of jobs, also of those that cron jobs make: their failures, their success, and who manages them.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { validateMode } from '../../../registry/strategies/jobs.js';
import type { Causes } from '../../../schema/causes.js';
import { noValue } from '../../../schema/causes.js';
import { dns1123Subdomain, qualifiedName } from '../../../schema/formats.js';
import { notMore, notNegative, type Rule, type Rules } from './rules.js';

type JobSpec = Partial<ObjectOf<'batch.v1.JobSpec'>>;

const mostRules = 20;
const mostPatterns = 20;
const mostCodes = 255;
const mostFailedIndexes = 100_000;
const manyCompletions = 100_000;
const mostOfMany = 10_000;
const longestManager = 63;
const longestIndexes = 64 * 1024;
const indexedOnly = 'requires indexed completion mode';

const managedBy: Rule = (manager, at, causes) => {
  if (manager === undefined) return;
  const slash = manager.indexOf('/');
  const [domain, path] = [manager.slice(0, Math.max(0, slash)), manager.slice(slash + 1)];
  if (manager === '') causes.required(at());
  else if (!domain || !path) {
    causes.invalid(at(), manager, 'must be a domain-prefixed path (such as "acme.io/foo")');
  } else {
    causes.format(at(), domain, dns1123Subdomain);
    if (!/^[\w/\-.~%!$&'()*+,;=:]+$/.test(path)) {
      const regex = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
      causes.invalid(at(), path, `Invalid path (regex used for validation is '${regex}')`);
    }
  }
  if (manager.length > longestManager) causes.longerThan(at(), longestManager);
};

/** Indexes are of indexed jobs only, and many of them have limits of their own. */
const indexes: Rule = (job: JobSpec, at, causes) => {
  const { completionMode: mode, completions, parallelism = 0, backoffLimitPerIndex: perIndex } = job;
  const { maxFailedIndexes: failed } = job;
  const field = `${at()}.maxFailedIndexes`;
  if (failed !== undefined && perIndex === undefined) {
    causes.required(`${at()}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified');
  }
  if (mode === undefined || mode === 'NonIndexed') {
    if (perIndex !== undefined) causes.invalid(`${at()}.backoffLimitPerIndex`, perIndex, indexedOnly);
    if (failed !== undefined) causes.invalid(field, failed, indexedOnly);
  }
  if (mode !== 'Indexed') return;
  if (failed !== undefined && completions !== undefined && failed > completions) {
    causes.invalid(field, failed, 'must be less than or equal to completions');
  }
  if (failed !== undefined && failed > mostFailedIndexes) {
    causes.invalid(field, failed, `must be less than or equal to ${mostFailedIndexes}`);
  }
  if (completions === undefined || completions <= manyCompletions || perIndex === undefined) return;
  const why = `must be less than or equal to ${mostOfMany} when completions are above ${manyCompletions} and used with backoff limit per index`;
  if (failed === undefined) causes.required(field, `must be specified when completions is above ${manyCompletions}`);
  if (parallelism > mostOfMany) causes.invalid(`${at()}.parallelism`, parallelism, why);
  if (failed !== undefined && failed > mostOfMany) causes.invalid(field, failed, why);
};

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const operators = ['In', 'NotIn'];
const statuses = ['False', 'True', 'Unknown'];

/** Requires one of a few values; real servers list them without commas where there is none. */
const requiredOf =
  (supported: readonly string[]): Rule =>
  (value, at, causes) => {
    const listed = supported.map((name) => JSON.stringify(name)).join(' ');
    if (!value) causes.required(at(), `valid values: [${listed}]`);
    else causes.oneOf(at(), value, supported);
  };

type Failure = ObjectOf<'batch.v1.PodFailurePolicyRule'>;

function validateCodes(field: string, { onExitCodes: codes }: Failure, job: JobSpec, causes: Causes): void {
  if (codes === undefined) return;
  const { operator, containerName, values = [] } = codes as Partial<typeof codes>;
  requiredOf(operators)(operator, () => `${field}.operator`, causes, codes);
  const { containers = [], initContainers = [] } = (job.template?.spec ?? {}) as Partial<ObjectOf<'PodSpec'>>;
  if (containerName !== undefined && ![...containers, ...initContainers].some(({ name }) => name === containerName)) {
    const why = 'must be one of the container or initContainer names in the pod template';
    causes.invalid(`${field}.containerName`, containerName, why);
  }
  const list = `${field}.values`;
  if (values.length === 0) causes.invalid(list, null, 'at least one value is required');
  notMore(mostCodes)(values, () => list, causes, codes);
  const seen = new Set<number>();
  for (const [index, code] of values.entries()) {
    if (operator === 'In' && code === 0) causes.invalid(`${list}[${index}]`, code, 'must not be 0 for the In operator');
    if (seen.has(code)) causes.duplicate(`${list}[${index}]`, code);
    seen.add(code);
  }
  if (values.some((code, index) => code < (values[index - 1] ?? code))) causes.invalid(list, values, 'must be ordered');
}

const failures: Rule = (job: JobSpec, at, causes) => {
  const { podFailurePolicy: policy, podReplacementPolicy: replacement } = job;
  const replacements = policy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  causes.oneOf(`${at()}.podReplacementPolicy`, replacement, replacements);
  if (policy === undefined) return;
  const list = `${at()}.podFailurePolicy.rules`;
  const rules: readonly Failure[] = policy.rules ?? [];
  notMore(mostRules)(rules, () => list, causes, policy);
  for (const [index, rule] of rules.slice(0, mostRules).entries()) {
    const field = `${list}[${index}]`;
    const { action, onExitCodes, onPodConditions: patterns = [] } = rule as Partial<Failure>;
    requiredOf(actions)(action, () => `${field}.action`, causes, rule);
    if (action === 'FailIndex' && job.backoffLimitPerIndex === undefined) {
      causes.invalid(`${field}.action`, action, 'requires the backoffLimitPerIndex to be set');
    }
    validateCodes(`${field}.onExitCodes`, rule, job, causes);
    notMore(mostPatterns)(patterns, () => `${field}.onPodConditions`, causes, rule);
    for (const [place, { type, status }] of patterns.entries()) {
      const pattern = `${field}.onPodConditions[${place}]`;
      causes.format(`${pattern}.type`, type ?? '', qualifiedName);
      // An absent one is filled in.
      causes.oneOf(`${pattern}.status`, status || undefined, statuses);
    }
    const says = (what: string) => causes.invalid(field, noValue, `specifying ${what}`);
    if (onExitCodes !== undefined && patterns.length > 0) {
      says('both OnExitCodes and OnPodConditions is not supported');
    }
    if (onExitCodes === undefined && patterns.length === 0) says('one of OnExitCodes and OnPodConditions is required');
  }
  const { restartPolicy } = (job.template?.spec ?? {}) as { readonly restartPolicy?: string };
  if (restartPolicy === 'OnFailure') {
    const why = 'only "Never" is supported when podFailurePolicy is specified';
    causes.invalid(`${at()}.template.spec.restartPolicy`, restartPolicy, why);
  }
};

/** Returns how many indexes a text names, such as `0,3-5`, or what is wrong with it. */
export function countOf(text: string, completions: number): number | string {
  let total = 0;
  let last = -1;
  for (const interval of text === '' ? [] : text.split(',')) {
    const limits = interval.split('-');
    if (limits.length > 2) {
      return `the fragment ${JSON.stringify(interval)} violates the requirement that an index interval can have at most two parts separated by '-'`;
    }
    for (const limit of limits) {
      if (!/^[+]?\d+$/.test(limit)) return `cannot convert string to integer for index: ${JSON.stringify(limit)}`;
      if (Number(limit) >= completions) return `too large index: ${JSON.stringify(limit)}`;
    }
    const [first = 0, end = first] = limits.map(Number);
    if (limits.length > 1 && first >= end) return `non-increasing order, previous: ${first}, current: ${end}`;
    if (last >= first) return `non-increasing order, previous: ${last}, current: ${first}`;
    total += end - first + 1;
    last = end;
  }
  return total;
}

const success: Rule = (job: JobSpec, at, causes) => {
  const { successPolicy: policy, completionMode, completions = 0 } = job;
  if (policy === undefined) return;
  const field = `${at()}.successPolicy`;
  if (completionMode !== 'Indexed') {
    causes.invalid(field, policy, indexedOnly);
    return;
  }
  const rules: readonly ObjectOf<'batch.v1.SuccessPolicyRule'>[] = policy.rules ?? [];
  if (rules.length === 0) {
    causes.required(`${field}.rules`, 'at least one rules must be specified when the successPolicy is specified');
  }
  notMore(mostRules)(rules, () => `${field}.rules`, causes, policy);
  for (const [index, { succeededCount: count, succeededIndexes: named }] of rules.entries()) {
    const rule = `${field}.rules[${index}]`;
    if (count === undefined && named === undefined) {
      causes.required(rule, 'at least one of succeededCount or succeededIndexes must be specified');
    }
    if ((named ?? '').length > longestIndexes) causes.tooLong(`${rule}.succeededIndexes`, longestIndexes);
    const total = countOf(named ?? '', completions);
    if (typeof total === 'string') {
      causes.invalid(`${rule}.succeededIndexes`, named, `error parsing succeededIndexes: ${total}`);
    }
    if (count === undefined) continue;
    const ofCount = `${rule}.succeededCount`;
    causes.notNegative(ofCount, count);
    const limit = (most: number, of: string) => {
      if (count > most) causes.invalid(ofCount, count, `must be less than or equal to ${most} (the number of ${of})`);
    };
    limit(completions, 'specified completions');
    if (named !== undefined) {
      limit(typeof total === 'string' ? 0 : total, 'indexes in the specified succeededIndexes field');
    }
  }
};

const zonePart = /^(?!-|\.{1,2}$)[\w.+-]{1,14}$/;

/** Reports whether a name is that of a time zone. */
function isZone(name: string): boolean {
  try {
    return (
      name.split('/').every((part) => zonePart.test(part)) && Boolean(Intl.DateTimeFormat('en', { timeZone: name }))
    );
  } catch {
    return false;
  }
}

const timeZone: Rule = (zone, at, causes) => {
  if (zone === undefined) return;
  if (zone === '') causes.invalid(at(), zone, 'timeZone must be nil or non-empty string');
  else if (zone.toLowerCase() === 'local') {
    const why = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    causes.invalid(at(), zone, why);
  } else if (!isZone(zone)) causes.invalid(at(), zone, `unknown time zone ${zone}`);
};

export const jobRules: Rules = {
  'batch.v1.CronJobSpec': { timeZone },
  JobSpec: {
    backoffLimit: notNegative,
    ttlSecondsAfterFinished: notNegative,
    backoffLimitPerIndex: notNegative,
    maxFailedIndexes: notNegative,
    managedBy,
    '': (job, at, causes, owner) => {
      for (const rule of [indexes, failures, success]) rule(job, at, causes, owner);
    },
  },
  'batch.v1.JobTemplateSpec': {
    spec: (job, at, causes) => {
      if (job !== undefined) validateMode(job, at(), causes);
    },
  },
};
