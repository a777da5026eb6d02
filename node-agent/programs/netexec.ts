// `netexec` of the image of Kubernetes' own tests: an HTTP server that says who it is, and connects to others.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { firstOf } from '../../matrix/api/signals.js';
import { type Process, type Program, ProgramError, runProgram } from '../kernel/process.js';
import { makePipe, writeText } from '../kernel/streams.js';
import { readUpTo } from '../network/httpClient.js';
import { exchange } from './exchange.js';
import { numberOf, parseFlags } from './flags.js';
import { respond, serveHttp, targetOf } from './httpServer.js';
import { dial } from './resolver.js';

/** The most bytes of a response that is passed on, and of the output of a script. */
const mostBytes = 1_048_576;
/** The seconds that another server has for its answer. */
const dialSeconds = 5;

/** A connection with the address of its client. */
type Client = Duplex & { readonly remoteAddress?: string; readonly remotePort?: number };

type Endpoint = (
  request: IncomingMessage,
  response: ServerResponse,
  parameters: URLSearchParams,
) => Promise<void> | void;

/** Makes `netexec [--http-port PORT] [--udp-port PORT]`, whose `/shell` runs scripts in a shell. */
export const makeNetexec =
  (findShell: () => Program | undefined): Program =>
  async (process) => {
    const { valuesOf } = parseFlags(process.argv.slice(2), {
      valued: ['--http-port', '--udp-port', '--delay-shutdown'],
    });
    const port = numberOf(valuesOf('--http-port')[0] ?? '8080');
    const udpPort = numberOf(valuesOf('--udp-port')[0] ?? '8081');
    const { hostname } = process.sandbox;
    const exit = new AbortController();
    let [code, isHealthy] = [0, true];
    const sayName: Endpoint = (_, response) => respond(response, hostname);
    const endpoints: Readonly<Record<string, Endpoint>> = {
      '/hostname': sayName,
      '/hostName': sayName,
      '/clientip': ({ socket }, response) => respond(response, `${socket.remoteAddress}:${socket.remotePort}`),
      '/echo': (_, response, parameters) => respond(response, parameters.get('msg') ?? ''),
      '/header': ({ headers }, response, parameters) =>
        respond(response, String(headers[(parameters.get('key') ?? '').toLowerCase()] ?? '')),
      '/healthz': (_, response) => respond(response, '', isHealthy ? 200 : 412),
      '/redirect': (_, response, parameters) => {
        const status = Number(parameters.get('code')) || 302;
        const location = parameters.get('location') ?? '';
        if (status < 300 || status > 399) return respond(response, `code ${status} is not a redirect`, 400);
        response.writeHead(status, { location }).end();
      },
      '/exit': (_, response, parameters) => {
        code = Number(parameters.get('code') ?? 0) & 0xff;
        response.once('close', () => exit.abort());
        respond(response, '');
      },
      '/shutdown': (_, response) => {
        isHealthy = false;
        response.once('close', () => exit.abort());
        respond(response, '');
      },
      '/dial': async (_, response, parameters) => respond(response, JSON.stringify(await dialAll(process, parameters))),
      '/shell': async (_, response, parameters) => {
        const script = parameters.get('shellCommand') ?? parameters.get('cmd') ?? '';
        respond(response, JSON.stringify(await run(process, findShell(), script)));
      },
      '/upload': (_, response) => respond(response, 'upload is not simulated', 501),
    };
    const signal = firstOf(process.signal, exit.signal);
    const listening = async () => {
      await writeText(process.stdout, `Started HTTP server on port ${port}\n`);
      serveDatagrams(process, udpPort, signal);
      await writeText(process.stdout, `Started UDP server on port ${udpPort}\n`);
    };
    const serving = serveHttp(
      { ...process, signal },
      { plain: [port] },
      async (request, response) => {
        const { path, parameters } = targetOf(request);
        await writeText(process.stdout, `${request.method} ${request.url}\n`);
        const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
        if (endpoint === undefined) respond(response, `NOW: ${new Date().toISOString()}`);
        else await endpoint(request, response, parameters);
      },
      { listening },
    );
    return await serving.catch((error: unknown) => {
      if (!exit.signal.aborted || process.signal.aborted) throw error;
      return code;
    });
  };

/** Answers the datagrams `hostname`, `clientip` and `echo TEXT`. */
function serveDatagrams({ sandbox }: Process, port: number, signal: AbortSignal): void {
  const accept = (connection: Client) => {
    connection.on('error', () => connection.destroy());
    connection.on('data', (datagram: Buffer) => {
      const text = datagram.toString().trim();
      const [command = ''] = text.toLowerCase().split(' ', 1);
      const answers: Readonly<Record<string, () => string>> = {
        hostname: () => sandbox.hostname,
        clientip: () => `${connection.remoteAddress}:${connection.remotePort}`,
        echo: () => text.slice('echo '.length),
      };
      if (Object.hasOwn(answers, command)) connection.write(answers[command]?.() ?? '');
    });
    signal.addEventListener('abort', () => connection.destroy(), { once: true });
  };
  sandbox.listen(port, signal, accept, 'udp');
}

/** Sends a datagram, and resolves with the first one that comes back. Rejects with Error if none comes in time. */
async function askByDatagram(process: Process, host: string, port: number, text: string): Promise<string> {
  const connection = await dial(process, host, port, 'udp');
  try {
    connection.write(text);
    const signal = firstOf(process.signal, AbortSignal.timeout(dialSeconds * 1000));
    const [answer] = (await once(connection, 'data', { signal })) as [Buffer];
    return answer.toString();
  } finally {
    connection.destroy();
  }
}

/** Sends a request to another server, several times if it must, and collects the answers and the errors. */
async function dialAll(
  process: Process,
  parameters: URLSearchParams,
): Promise<{ readonly responses?: readonly string[]; readonly errors?: readonly string[] }> {
  const of = (name: string, usual = '') => parameters.get(name) || usual;
  const protocol = of('protocol', 'http');
  if (protocol !== 'http' && protocol !== 'udp') return { errors: [`${protocol} is not simulated`] };
  const [responses, errors]: [string[], string[]] = [[], []];
  const [host, port, asked] = [of('host'), of('port', '80'), of('request', 'hostname')];
  const request = { method: 'GET', headers: [], follows: true, seconds: dialSeconds };
  const ask = async () => {
    if (protocol === 'udp') responses.push(await askByDatagram(process, host, numberOf(port), asked));
    else {
      await exchange(process, `http://${host}:${port}/${asked.replace(/^\//, '')}`, request, async (response) => {
        responses.push((await readUpTo(response, mostBytes)).toString());
      });
    }
  };
  for (let tried = 0; tried < Math.min(Number(of('tries', '1')) || 1, 100); tried++) {
    try {
      await ask();
    } catch (error) {
      process.signal.throwIfAborted();
      errors.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { ...(responses.length > 0 && { responses }), ...(errors.length > 0 && { errors }) };
}

/** Runs a script. Resolves with all that it writes, and with its exit code if it fails. */
async function run(process: Process, shell: Program | undefined, script: string) {
  if (shell === undefined) throw new ProgramError('there is no shell');
  const { input, output, end } = makePipe();
  const own = { ...process, argv: ['sh', '-c', script], stdout: output, stderr: output };
  const running = runProgram(shell, own).finally(end);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > mostBytes) break;
  }
  input.close();
  const code = await running;
  return { output: Buffer.concat(chunks).toString(), ...(code !== 0 && { error: `exit status ${code}` }) };
}
