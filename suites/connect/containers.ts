// The pods that connections go into.
import type { JsonObject } from '../support/json.js';
import { runningPod, shared } from '../support/runningPods.js';

const image = 'busybox';

/** Counts the lines that it reads, and says each of them on both outputs. */
const counts = (name: string) => [
  'sh',
  '-c',
  `n=0; while read line; do n=$((n+1)); echo "${name} $n $line"; echo "error $n $line" >&2; done`,
];

const pod = (...containers: JsonObject[]) => shared((context) => runningPod(context, { containers }));
const main = { name: 'main', image };

/** One container, `main`. */
export const single = pod({ ...main, command: ['sleep', '3600'] });

/** Two containers, `first` and `second`, whose environment names them; each counts what it reads. */
export const pair = pod(
  ...['first', 'second'].map((name) => ({
    ...{ name, image, stdin: true, command: counts(name), env: [{ name: 'CONTAINER', value: name }] },
  })),
);

/** One container that counts the lines that it reads. */
export const counter = pod({ ...main, stdin: true, command: counts('main') });

/** The same with a terminal. */
export const terminal = pod({ ...main, stdin: true, tty: true, command: counts('main') });

/** One container that answers HTTP requests with what it was asked, on two ports. */
export const web = pod({ name: 'main', image: 'http-echo', args: ['--port', '8080', '--port', '8081'] });
