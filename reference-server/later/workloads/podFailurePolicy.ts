// The rules of a Job for pods that fail: which failures end the Job or an index, and which do not count.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { type KubeObject, part } from '../../schema/object.js';

type Policy = ObjectOf<'batch.v1.PodFailurePolicy'>;
type ContainerStatus = ObjectOf<'ContainerStatus'>;
type ExitCodes = ObjectOf<'batch.v1.PodFailurePolicyOnExitCodesRequirement'>;
type Condition = ObjectOf<'batch.v1.PodFailurePolicyOnPodConditionsPattern'>;

/** What the first rule that fits a pod says. Without such a rule the failure counts. */
interface Verdict {
  readonly action: 'FailJob' | 'FailIndex' | 'Ignore' | 'Count';
  readonly message: string;
}

export function verdictOn(pod: KubeObject, { rules }: Policy): Verdict {
  for (const [index, { action = 'Count', onExitCodes, onPodConditions = [] }] of (rules ?? []).entries()) {
    const what = onExitCodes ? exitOf(pod, onExitCodes) : conditionOf(pod, onPodConditions);
    if (what === undefined) continue;
    return { action: action as Verdict['action'], message: `${what} matching ${action} rule at index ${index}` };
  }
  return { action: 'Count', message: '' };
}

const nameOf = ({ metadata: { namespace, name } }: KubeObject): string => `${namespace}/${name}`;

function exitOf(pod: KubeObject, { containerName, operator, values = [] }: ExitCodes): string | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = part<ObjectOf<'PodStatus'>>(pod, 'status');
  const fits = ({ name, state }: ContainerStatus): boolean => {
    const code = state?.terminated?.exitCode ?? 0;
    const isMeant = code !== 0 && (containerName === undefined || name === containerName);
    return isMeant && values.includes(code) === (operator === 'In');
  };
  const found = [...containerStatuses, ...initContainerStatuses].find(fits);
  if (found === undefined) return undefined;
  const code = found.state?.terminated?.exitCode;
  return `Container ${found.name} for pod ${nameOf(pod)} failed with exit code ${code}`;
}

function conditionOf(pod: KubeObject, patterns: readonly Condition[]): string | undefined {
  const { conditions = [] } = part<ObjectOf<'PodStatus'>>(pod, 'status');
  const found = patterns.find(({ type, status }) =>
    conditions.some((condition) => condition.type === type && condition.status === (status ?? 'True')),
  );
  return found && `Pod ${nameOf(pod)} has condition ${found.type}`;
}
