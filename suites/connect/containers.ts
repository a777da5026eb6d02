// The pods that connections go into.
import { shellImage } from '../support/images.js';
import type { JsonObject } from '../support/json.js';
import { runningPod, shared } from '../support/runningPods.js';

/** Counts the lines that it reads, and says each of them on both outputs. */
const counts = (name: string) => [
  'sh',
  '-c',
  `n=0; while read line; do n=$((n+1)); echo "${name} $n $line"; echo "error $n $line" >&2; done`,
];

/** Containers of the image with a shell, unless they name another. */
const pod = (...containers: JsonObject[]) =>
  shared((context) => {
    const image = shellImage(context);
    return runningPod(context, { containers: containers.map((container) => ({ image, ...container })) });
  });
const main = { name: 'main' };

/** One container, `main`. */
export const single = pod({ ...main, command: ['sleep', '3600'] });

/** Two containers, `first` and `second`, whose environment names them; each counts what it reads. */
export const pair = pod(
  ...['first', 'second'].map((name) => {
    const env = [{ name: 'CONTAINER', value: name }];
    return { name, stdin: true, command: counts(name), env };
  }),
);

/** One container that counts the lines that it reads. */
export const counter = pod({ ...main, stdin: true, command: counts('main') });

/** The same with a terminal. */
export const terminal = pod({ ...main, stdin: true, tty: true, command: counts('main') });

/** One container that answers HTTP requests with what it was asked, on two ports. */
export const web = pod({ name: 'main', image: 'http-echo', args: ['--port', '8080', '--port', '8081'] });
