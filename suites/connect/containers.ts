// The pods that connections go into.
import { shellImage } from '../support/images.js';
import { type RunningPod, runningPod } from '../support/runningPods.js';
import type { Context } from '../support/worker.js';

/** Counts the lines that it reads, and says each of them on both outputs. */
const counts = (name: string) => [
  'sh',
  '-c',
  `n=0; while read line; do n=$((n+1)); echo "${name} $n $line"; echo "error $n $line" >&2; done`,
];

/** One container, `main`. */
export const single = (context: Context): Promise<RunningPod> =>
  runningPod(context, 'single', {
    containers: [{ name: 'main', image: shellImage(context), command: ['sleep', '3600'] }],
  });

/** Two containers, `first` and `second`, whose environment names them; each counts what it reads. */
export const pair = (context: Context): Promise<RunningPod> => {
  const container = (name: string) => ({
    ...{
      name,
      image: shellImage(context),
      stdin: true,
      command: counts(name),
      env: [{ name: 'CONTAINER', value: name }],
    },
  });
  return runningPod(context, 'pair', { containers: [container('first'), container('second')] });
};

/** One container that counts the lines that it reads. */
export const counter = (context: Context): Promise<RunningPod> =>
  runningPod(context, 'counter', {
    containers: [{ name: 'main', image: shellImage(context), stdin: true, command: counts('main') }],
  });

/** The same with a terminal. */
export const terminal = (context: Context): Promise<RunningPod> =>
  runningPod(context, 'terminal', {
    containers: [{ name: 'main', image: shellImage(context), stdin: true, tty: true, command: counts('main') }],
  });

/** One container that answers HTTP requests with what it was asked, on two ports. */
export const web = (context: Context): Promise<RunningPod> =>
  runningPod(context, 'web', {
    containers: [{ name: 'main', image: 'http-echo', args: ['--port', '8080', '--port', '8081'] }],
  });
