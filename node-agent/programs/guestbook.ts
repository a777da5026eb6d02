// `guestbook` of the image of Kubernetes' own tests: a frontend, or a store that a primary keeps alike on its replicas.
import { type Process, type Program, pause } from '../kernel/process.js';
import { readUpTo } from '../network/httpClient.js';
import { exchange } from './exchange.js';
import { numberOf, parseFlags } from './flags.js';
import { respond, serveHttp, targetOf } from './httpServer.js';
import { addressOf } from './resolver.js';

/** The most characters of all that a store holds, and the most bytes of an answer. */
const mostHeld = 1_048_576;
/** The milliseconds between two attempts to become a replica. */
const registerPeriod = 1000;

/** `guestbook [--http-port PORT] [--backend-port PORT] [--replicaof HOST]`: `/get`, `/set`, `/register`, `/guestbook`. */
export const guestbook: Program = async (process) => {
  const { valuesOf } = parseFlags(process.argv.slice(2), {
    valued: ['--http-port', '--backend-port', '--replicaof', '--slaveof'],
  });
  const port = numberOf(valuesOf('--http-port')[0] ?? '80');
  const backend = numberOf(valuesOf('--backend-port')[0] ?? '6379');
  const store = new Map<string, string>();
  const replicas = new Set<string>();
  const ask = (host: string, path: string, parameters: Readonly<Record<string, string>>) =>
    answerOf(process, `http://${host}:${backend}/${path}?${new URLSearchParams(parameters)}`);
  const endpoints: Readonly<Record<string, (parameters: URLSearchParams) => Promise<string> | string>> = {
    '/get': (parameters) => {
      const key = parameters.get('key') ?? '';
      return dataText(key === '' ? JSON.stringify(Object.fromEntries(store)) : (store.get(key) ?? ''));
    },
    '/set': async (parameters) => {
      const [key, value] = [parameters.get('key') ?? '', parameters.get('value') ?? ''];
      const held = [...store].reduce((sum, [name, text]) => sum + name.length + text.length, 0);
      if (held + key.length + value.length > mostHeld) throw new Error('the store is full');
      for (const replica of replicas) await ask(replica, 'set', { key, value });
      store.set(key, value);
      return JSON.stringify({ message: 'Updated' });
    },
    '/register': async (parameters) => {
      const host = parameters.get('host') ?? '';
      for (const [key, value] of store) await ask(host, 'set', { key, value });
      replicas.add(host);
      return dataText('');
    },
    '/guestbook': async (parameters) => {
      const [command, key, value] = ['cmd', 'key', 'value'].map((name) => parameters.get(name) ?? '');
      if (command !== 'get' && command !== 'set') throw new Error(`unsupported cmd: ${command}`);
      const host = command === 'set' ? 'agnhost-primary' : 'agnhost-replica';
      return await ask(host, command, { key: key ?? '', value: value ?? '' });
    },
  };
  const [primary] = valuesOf('--replicaof', '--slaveof');
  const listening = async () => {
    if (primary !== undefined) void register(process, (host) => ask(primary, 'register', { host })).catch(() => {});
  };
  return await serveHttp(
    process,
    { plain: [port] },
    async (request, response) => {
      const { path, parameters } = targetOf(request);
      const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
      if (endpoint === undefined) return respond(response, '404 page not found\n', 404);
      try {
        respond(response, await endpoint(parameters));
      } catch (error) {
        respond(response, error instanceof Error ? error.message : String(error), 400);
      }
    },
    { listening },
  );
};

const dataText = (data: string): string => JSON.stringify({ data });

/** Makes the pod known to its primary, as soon as that is there. */
async function register(process: Process, tell: (host: string) => Promise<string>): Promise<void> {
  const { sandbox, signal } = process;
  const host = await addressOf(sandbox, sandbox.hostname);
  for (;;) {
    try {
      await tell(host);
      return;
    } catch {
      await pause(signal, registerPeriod);
    }
  }
}

/** Resolves with the body of a successful answer. Rejects with Error. */
async function answerOf(process: Process, url: string): Promise<string> {
  let text = '';
  const request = { method: 'GET', headers: [], follows: false, seconds: 5 };
  await exchange(process, url, request, async (response) => {
    text = (await readUpTo(response, mostHeld)).toString();
    if (response.statusCode !== 200) throw new Error(text);
  });
  return text;
}
