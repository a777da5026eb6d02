// `netexec` of the image of Kubernetes' own tests: an HTTP server that says who it is, and connects to others.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Process, type Program, ProgramError, runProgram } from '../kernel/process.js';
import { makePipe, writeText } from '../kernel/streams.js';
import { readUpTo } from '../network/httpClient.js';
import { exchange } from './exchange.js';
import { numberOf, parseFlags } from './flags.js';
import { respond, serveHttp, targetOf } from './httpServer.js';

/** The most bytes of a response that is passed on, and of the output of a script. */
const mostBytes = 1_048_576;
/** The seconds that another server has for its answer. */
const dialSeconds = 5;

type Endpoint = (
  request: IncomingMessage,
  response: ServerResponse,
  parameters: URLSearchParams,
) => Promise<void> | void;

/** Makes `netexec [--http-port PORT]`, whose `/shell` runs scripts in a shell. */
export const makeNetexec =
  (findShell: () => Program | undefined): Program =>
  async (process) => {
    const { valuesOf } = parseFlags(process.argv.slice(2), {
      valued: ['--http-port', '--udp-port', '--delay-shutdown'],
    });
    const port = numberOf(valuesOf('--http-port')[0] ?? '8080');
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
    const listening = () => writeText(process.stdout, `Started HTTP server on port ${port}; UDP is not simulated\n`);
    const serving = serveHttp(
      { ...process, signal: AbortSignal.any([process.signal, exit.signal]) },
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

/** Sends a request to another server, several times if it must, and collects the answers and the errors. */
async function dialAll(
  process: Process,
  parameters: URLSearchParams,
): Promise<{ readonly responses?: readonly string[]; readonly errors?: readonly string[] }> {
  const of = (name: string, usual = '') => parameters.get(name) || usual;
  const protocol = of('protocol', 'http');
  if (protocol !== 'http') return { errors: [`${protocol} is not simulated`] };
  const [responses, errors]: [string[], string[]] = [[], []];
  const path = of('request', 'hostname').replace(/^\//, '');
  const request = { method: 'GET', headers: [], follows: true, seconds: dialSeconds };
  for (let tried = 0; tried < Math.min(Number(of('tries', '1')) || 1, 100); tried++) {
    try {
      await exchange(process, `http://${of('host')}:${of('port', '80')}/${path}`, request, async (response) => {
        responses.push((await readUpTo(response, mostBytes)).toString());
      });
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
