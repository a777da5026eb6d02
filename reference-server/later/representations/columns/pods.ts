// The columns of pods, and the status of a pod in one word.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import type { KubeObject } from '../../../schema/object.js';
import { ageOf } from './age.js';
import { ageColumn, nameColumn, none, type RowCondition, tableOf } from './column.js';

type Pod = KubeObject & ObjectOf<'Pod'>;

/** What the containers of a pod sum up to. */
interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
  /** The time at which the last restarted container had ended. */
  readonly lastRestart: string;
  readonly status: string;
}

/** Counts the restarts of containers. */
class Restarts {
  count = 0;
  last = '';

  add({ restartCount = 0, lastState }: ObjectOf<'ContainerStatus'>): void {
    this.count += restartCount;
    const finishedAt = lastState?.terminated?.finishedAt ?? '';
    // Times have the same form, so their order is that of their text.
    if (finishedAt > this.last) this.last = finishedAt;
  }
}

/** Returns the reason of a terminated container. */
function endOf({ reason, signal, exitCode = 0 }: ObjectOf<'ContainerStateTerminated'>): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

const isTrue = ({ status }: Pod, type: string): boolean =>
  (status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');

/** The progress of the init containers: the status of the first one that is not done, and those that keep running. */
function initialization({ spec, status }: Pod) {
  const containers = spec?.initContainers ?? [];
  const sidecars = new Set(containers.flatMap(({ name, restartPolicy }) => (restartPolicy === 'Always' ? [name] : [])));
  const all = new Restarts();
  const ofSidecars = new Restarts();
  let ready = 0;
  for (const [index, container] of (status?.initContainerStatuses ?? []).entries()) {
    const { name, state = {}, started } = container;
    const isSidecar = sidecars.has(name);
    all.add(container);
    if (isSidecar) ofSidecars.add(container);
    const { terminated, waiting } = state;
    if (terminated?.exitCode === 0) continue;
    if (isSidecar && started) {
      if (container.ready) ready += 1;
      continue;
    }
    const isWaiting = waiting?.reason && waiting.reason !== 'PodInitializing';
    const under = terminated ? endOf(terminated) : isWaiting ? waiting.reason : `${index}/${containers.length}`;
    return { status: `Init:${under}`, restarts: all, ofSidecars, ready, sidecars: sidecars.size };
  }
  return { status: undefined, restarts: all, ofSidecars, ready, sidecars: sidecars.size };
}

function summarize(pod: Pod): Summary {
  const { metadata, spec, status = {} } = pod;
  const init = initialization(pod);
  const isInitializing = init.status !== undefined && !isTrue(pod, 'Initialized');
  let shown = init.status ?? (status.reason || status.phase || '');
  if ((status.conditions ?? []).some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated')) {
    shown = 'SchedulingGated';
  }
  let { ready, restarts } = init;
  if (!isInitializing) {
    restarts = init.ofSidecars;
    let isRunning = false;
    for (const container of [...(status.containerStatuses ?? [])].reverse()) {
      restarts.add(container);
      const { waiting, terminated, running } = container.state ?? {};
      if (waiting?.reason) shown = waiting.reason;
      else if (terminated) shown = endOf(terminated);
      else if (container.ready && running) {
        isRunning = true;
        ready += 1;
      }
    }
    if (shown === 'Completed' && isRunning) shown = isTrue(pod, 'Ready') ? 'Running' : 'NotReady';
  }
  if (metadata.deletionTimestamp) {
    if (status.reason === 'NodeLost') shown = 'Unknown';
    else if (!hasEnded(pod)) shown = 'Terminating';
  }
  return {
    ready,
    total: (spec?.containers ?? []).length + init.sidecars,
    restarts: restarts.count,
    lastRestart: restarts.last,
    status: shown,
  };
}

const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

const summaries = new WeakMap<Pod, Summary>();

/** Returns the summary of a pod, cached: several columns need it, and stored objects never change. */
function summaryOf(pod: Pod): Summary {
  let summary = summaries.get(pod);
  if (summary === undefined) {
    summary = summarize(pod);
    summaries.set(pod, summary);
  }
  return summary;
}

const ended: Readonly<Record<string, string>> = {
  Succeeded: 'All containers have ended with success.',
  Failed: 'All containers have ended, and one of them with a failure.',
};

function conditionsOf({ status }: Pod): readonly RowCondition[] {
  const reason = status?.phase ?? '';
  const message = Object.hasOwn(ended, reason) ? ended[reason] : undefined;
  return message === undefined ? [] : [{ type: 'Completed', status: 'True', reason, message }];
}

/** The columns of pods. The row of a pod that has ended has a condition that says so. */
export const podColumns = tableOf<Pod>(
  [
    nameColumn,
    {
      name: 'Ready',
      description: 'How many containers are ready, of all containers.',
      cell: (pod) => `${summaryOf(pod).ready}/${summaryOf(pod).total}`,
    },
    {
      name: 'Status',
      description: 'The state of the pod, or the reason why a container does not run.',
      cell: (pod) => summaryOf(pod).status,
    },
    {
      name: 'Restarts',
      description: 'How often containers have restarted, and the time since the last restart.',
      cell: (pod, now) => {
        const { restarts, lastRestart } = summaryOf(pod);
        return restarts > 0 && lastRestart !== '' ? `${restarts} (${ageOf(lastRestart, now)} ago)` : String(restarts);
      },
    },
    ageColumn,
    {
      name: 'IP',
      wide: true,
      description: 'The address of the pod.',
      cell: ({ status }) => status?.podIPs?.[0]?.ip || status?.podIP || none,
    },
    {
      name: 'Node',
      wide: true,
      description: 'The node that the pod is bound to.',
      cell: ({ spec }) => spec?.nodeName || none,
    },
    {
      name: 'Nominated Node',
      wide: true,
      description: 'The node on which the scheduler makes room for the pod.',
      cell: ({ status }) => status?.nominatedNodeName || none,
    },
    {
      name: 'Readiness Gates',
      wide: true,
      description: 'How many additional conditions for readiness are true, of all that the pod names.',
      cell: (pod) => {
        const gates = pod.spec?.readinessGates ?? [];
        if (gates.length === 0) return none;
        return `${gates.filter(({ conditionType }) => isTrue(pod, conditionType)).length}/${gates.length}`;
      },
    },
  ],
  conditionsOf,
);
