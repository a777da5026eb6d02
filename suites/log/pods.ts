// The pods with logs: their output, and its times, are known. Each worker creates each pod once, at its first use.
import { Prerequisite } from '../client/expect.js';
import { brief, itemsOf, type JsonObject } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { pods } from '../objects/related.js';
import type { Context } from '../run/context.js';
import { finishedPod, oncePerSandbox, runningPod, shellImage } from '../run/runningPods.js';

export interface LogPod {
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  /** The container to name, because a target may add others to every pod; absent if the pod has several of its own. */
  readonly container?: string;
  /** The containers that the target added. */
  readonly added: readonly string[];
}

/** Returns a container with a shell, for the target's own nodes or for the node of the run. */
const shell = (context: Context, name: string, script: string) => ({
  ...{ name, image: shellImage(context), command: ['sh', '-c', script] },
});

/** Returns a pod with the path of its log. */
const logOf = (
  { namespace, name, added = [] }: Pick<LogPod, 'namespace' | 'name'> & Partial<LogPod>,
  spec: JsonObject = {},
): LogPod => {
  const [only, ...others] = itemsOf({ items: spec.containers });
  const container = others.length === 0 && only !== undefined ? { container: String(only.name) } : {};
  return { ...{ namespace, name, added }, ...container, path: pathTo(pods, 'log', namespace, name) };
};

/** Starts a pod and waits until it has written everything. */
async function finished(context: Context, spec: JsonObject): Promise<LogPod> {
  return logOf(await finishedPod(context, spec), spec);
}

/** Returns the path of a pod's log with a query, which names the container unless it does so itself. */
export function logPath({ path, container }: LogPod, query: string): string {
  const named = container === undefined || /(^|&)container=/.test(query) ? [] : [`container=${container}`];
  const whole = [...named, query].filter(Boolean).join('&');
  return whole === '' ? path : `${path}?${whole}`;
}

/** Five lines: three, then two after a while. */
export const timedLines = ['one', 'two', 'three', 'four', 'five'] as const;

/** A pod that has written the five lines, and their times, in milliseconds since 1970. */
export interface TimedPod extends LogPod {
  readonly times: readonly number[];
}

/** The age of each line in seconds, on the node of the run. */
const ages = [7200, 3599.877, 600, 60, 29.544] as const;

export const timedPod = oncePerSandbox(async (context): Promise<TimedPod> => {
  if (context.node === undefined) return await slowlyTimed(context);
  const now = Math.floor(Date.now() / 1000) * 1000;
  const times = ages.map((age) => now - age * 1000);
  const args = times.map((time, index) => `${new Date(time).toISOString()}=${timedLines[index]}`);
  return {
    ...(await finished(context, { containers: [{ name: 'main', image: 'log-generator', args }] })),
    times,
  };
});

/** On other nodes the script waits between lines, and the times come from the timestamps in the log. */
async function slowlyTimed(context: Context): Promise<TimedPod> {
  const script = 'echo one; echo two; echo three; sleep 4; echo four; echo five; sleep 3';
  const pod = await finished(context, { containers: [shell(context, 'main', script)] });
  const { bytes } = await context.sandbox.attempt('read the timestamps', 'GET', logPath(pod, 'timestamps=true'));
  const times = bytes
    .toString()
    .split('\n')
    .slice(0, 5)
    .map((line) => Date.parse(line.split(' ')[0] ?? ''));
  if (times.length < 5 || times.some(Number.isNaN))
    throw new Prerequisite(`the log has no timestamps: ${brief(bytes.toString())}`);
  return { ...pod, times };
}

const doubled = 'x=0123456789; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do x=$x$x; done; echo $x$x';

/** Containers with every kind of log content, by name. */
export const contents: Readonly<Record<string, Buffer>> = {
  silent: Buffer.alloc(0),
  blank: Buffer.from('\n\na\n\n'),
  unended: Buffer.from('one\ntwo'),
  long: Buffer.from(`${'0123456789'.repeat(2 ** 17)}\n`),
  many: Buffer.from(Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('')),
  binary: Buffer.from([0xff, 0x00, 0x80, 0x0a]),
  both: Buffer.from('out\nerr\n'),
};

export const contentPod = oncePerSandbox((context) =>
  finished(context, {
    initContainers: [shell(context, 'earlier', 'echo before all others')],
    containers: [
      shell(context, 'silent', 'true'),
      shell(context, 'blank', "printf '\\n\\na\\n\\n'"),
      shell(context, 'unended', "printf 'one\\ntwo'"),
      shell(context, 'long', doubled),
      shell(context, 'many', 'seq 1 20000'),
      shell(context, 'binary', "printf '\\377\\000\\200\\n'"),
      shell(context, 'both', 'echo out; sleep 0.2; echo err >&2'),
    ],
  }),
);

/** A pod that fails once and is restarted: `first life`, then `second life`. */
export const restartedPod = oncePerSandbox((context) =>
  finished(context, {
    restartPolicy: 'OnFailure',
    volumes: [{ name: 'state', emptyDir: {} }],
    containers: [
      {
        ...shell(
          context,
          'main',
          'if test -f /state/lived; then echo second life; else echo first life; touch /state/lived; exit 1; fi',
        ),
        volumeMounts: [{ name: 'state', mountPath: '/state' }],
      },
    ],
  }),
);

/** A script that writes ten lines a second until it is stopped: `tick 1`, `tick 2` and so on. */
const ticks = 'i=0; while true; do i=$((i+1)); echo tick $i; sleep 0.1; done';

/** Starts a pod that writes ticks. */
export async function startTicking(context: Context): Promise<LogPod> {
  const spec = { containers: [shell(context, 'main', ticks)] };
  return logOf(await runningPod(context, spec), spec);
}

export const tickingPod = oncePerSandbox(startTicking);

/** A pod that runs on no node. */
export const unscheduledPod = oncePerSandbox(async ({ sandbox }): Promise<LogPod> => {
  const { name, namespace = '' } = await sandbox.make(pods);
  return logOf({ name, namespace }, { containers: [{ name: 'main' }] });
});

/** A pod with two containers that runs on no node. */
export const severalPod = oncePerSandbox(async (context): Promise<LogPod> => {
  const change = { spec: { containers: [shell(context, 'alpha', 'true'), shell(context, 'beta', 'true')] } };
  const { name, namespace = '' } = await context.sandbox.make(pods, { change });
  return logOf({ name, namespace });
});
