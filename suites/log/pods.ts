// The pods whose logs are read: what they say, and when, is known. Each is made once for each worker, at its first use.
import { Prerequisite } from '../support/expect.js';
import { shellImage } from '../support/images.js';
import { brief, type JsonObject } from '../support/json.js';
import { pods } from '../support/related.js';
import { runningPod, shared, startPod, untilPhase } from '../support/runningPods.js';
import { pathTo } from '../support/scope.js';
import type { Context } from '../support/worker.js';

/** A pod that has run. */
export interface LogPod {
  readonly namespace: string;
  readonly name: string;
  /** Of its log. */
  readonly path: string;
}

/** A container with a shell, of the target's own nodes or of ours. */
const shell = (context: Context, name: string, script: string) => ({
  ...{ name, image: shellImage(context), command: ['sh', '-c', script] },
});

/** Where its log is. */
const logOf = ({ namespace, name }: Pick<LogPod, 'namespace' | 'name'>): LogPod => ({
  ...{ namespace, name },
  path: pathTo(pods, 'log', namespace, name),
});

/** Starts a pod and waits until it has said everything. */
async function finished(context: Context, spec: JsonObject): Promise<LogPod> {
  const pod = await startPod(context, spec);
  await untilPhase(context, pod, 'Succeeded');
  return logOf(pod);
}

/** Five lines: three, then, after a while, two. */
export const timedLines = ['one', 'two', 'three', 'four', 'five'] as const;

/** A pod that has said the five lines, and when it did: milliseconds since 1970. */
export interface TimedPod extends LogPod {
  readonly times: readonly number[];
}

/** Seconds before now of each line, where our node says them. */
const ages = [7200, 3599.877, 600, 60, 29.544] as const;

export const timedPod = shared(async (context): Promise<TimedPod> => {
  if (context.node === undefined) return await slowlyTimed(context);
  const now = Math.floor(Date.now() / 1000) * 1000;
  const times = ages.map((age) => now - age * 1000);
  const args = times.map((time, index) => `${new Date(time).toISOString()}=${timedLines[index]}`);
  return {
    ...(await finished(context, { containers: [{ name: 'main', image: 'log-generator', args }] })),
    times,
  };
});

/** On a node that is not ours the lines take their time, and only their timestamps tell when they were said. */
async function slowlyTimed(context: Context): Promise<TimedPod> {
  const script = 'echo one; echo two; echo three; sleep 4; echo four; echo five; sleep 3';
  const pod = await finished(context, { containers: [shell(context, 'main', script)] });
  const { bytes } = await context.scope.attempt('read the timestamps', 'GET', `${pod.path}?timestamps=true`);
  const times = bytes
    .toString()
    .split('\n')
    .slice(0, 5)
    .map((line) => Date.parse(line.split(' ')[0] ?? ''));
  if (times.length < 5 || times.some(Number.isNaN))
    throw new Prerequisite(`the log has no timestamps: ${brief(bytes.toString())}`);
  return { ...pod, times };
}

const doubled = 'x=0123456789; for i in 1 2 3 4 5 6 7 8 9 10 11; do x=$x$x; done; echo $x';

/** Containers that say all that a log can hold; each is what it says. */
export const contents: Readonly<Record<string, Buffer>> = {
  silent: Buffer.alloc(0),
  blank: Buffer.from('\n\na\n\n'),
  unended: Buffer.from('one\ntwo'),
  long: Buffer.from(`${'0123456789'.repeat(2048)}\n`),
  many: Buffer.from(Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('')),
  binary: Buffer.from([0xff, 0x00, 0x80, 0x0a]),
  both: Buffer.from('out\nerr\n'),
};

export const contentPod = shared((context) =>
  finished(context, {
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

/** Fails once and is started again: `first life`, then `second life`. */
export const restartedPod = shared((context) =>
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

/** What a ticking container says, until it is ended: `tick 1`, `tick 2` and so on, ten a second. */
const ticks = 'i=0; while true; do i=$((i+1)); echo tick $i; sleep 0.1; done';

/** Starts a pod that goes on ticking. */
export async function startTicking(context: Context): Promise<LogPod> {
  return logOf(await runningPod(context, { containers: [shell(context, 'main', ticks)] }));
}

export const tickingPod = shared(startTicking);

/** A pod that nobody runs. */
export const unscheduledPod = shared(async ({ scope }): Promise<LogPod> => {
  const { name, namespace = '' } = await scope.make(pods);
  return logOf({ name, namespace });
});

/** A pod of two containers that nobody runs. */
export const severalPod = shared(async (context): Promise<LogPod> => {
  const change = { spec: { containers: [shell(context, 'alpha', 'true'), shell(context, 'beta', 'true')] } };
  const { name, namespace = '' } = await context.scope.make(pods, { change });
  return logOf({ name, namespace });
});
