// The pods for connections.

import type { JsonObject } from '../client/json.js';
import { oncePerSandbox, runningPod, shellImage } from '../run/runningPods.js';

/** Returns a command that counts its input lines and repeats each on both outputs. */
const counts = (name: string) => [
  'sh',
  '-c',
  `n=0; while read line; do n=$((n+1)); echo "${name} $n $line"; echo "error $n $line" >&2; done`,
];

/** Returns a pod of containers. The image has a shell unless a container names another image. */
const pod = (...containers: JsonObject[]) =>
  oncePerSandbox((context) => {
    const image = shellImage(context);
    return runningPod(context, { containers: containers.map((container) => ({ image, ...container })) });
  });
const main = { name: 'main' };

/** One container, `main`, with its name in the environment. */
export const single = pod({ ...main, command: ['sleep', '3600'], env: [{ name: 'CONTAINER', value: 'main' }] });

/** Names that container in a query: a target may add others to every pod. */
export const inMain = 'container=main';

/** Two containers, `first` and `second`, with their names in the environment; each counts its input lines. */
export const pair = pod(
  ...['first', 'second'].map((name) => {
    const env = [{ name: 'CONTAINER', value: name }];
    return { name, stdin: true, command: counts(name), env };
  }),
);

/** One container that counts its input lines. */
export const counter = pod({ ...main, stdin: true, command: counts('main') });

export const terminal = pod({ ...main, stdin: true, tty: true, command: counts('main') });

/** One container with an HTTP server on two ports that returns each request. */
export const web = pod({ name: 'main', image: 'http-echo', args: ['--port', '8080', '--port', '8081'] });
