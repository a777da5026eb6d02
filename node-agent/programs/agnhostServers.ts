// The servers of the image of Kubernetes' own tests, as far as they are simulated. None of them serves UDP or SCTP.
import { type Process, type Program, ProgramError, pause } from '../kernel/process.js';
import { writeText } from '../kernel/streams.js';
import { AddressInUse } from '../network/virtualNetwork.js';
import { numberOf, parseFlags } from './flags.js';
import { respond, serveHttp, targetOf } from './httpServer.js';

/** Returns the arguments after the name of the program. */
const argumentsOf = ({ argv }: Process): readonly string[] => argv.slice(2);

/** `serve-hostname [--port PORT] [--http] [--tcp]`: answers with the name of the pod. */
export const serveHostname: Program = async (process) => {
  const { rest, valuesOf, flags } = parseFlags(argumentsOf(process).map(withoutTrue), {
    flags: ['--http', '--tcp', '--http=false', '--tcp=false', '--close'],
    valued: ['--port'],
  });
  if (rest.length > 0) throw new ProgramError(`serve-hostname: ${rest[0]} is not simulated`, 2);
  const port = numberOf(valuesOf('--port')[0] ?? '9376');
  const { sandbox, signal, stdout } = process;
  const listening = () => writeText(stdout, `Serving on port ${port}.\n`);
  if (!flags.has('--tcp')) {
    return await serveHttp(process, { plain: [port] }, (_, response) => respond(response, sandbox.hostname), {
      listening,
    });
  }
  sandbox.listen(port, signal, (connection) => {
    connection.on('error', () => connection.destroy()).end(sandbox.hostname);
  });
  await listening();
  await pause(signal);
  return 0;
};

/** `--tcp=true` is `--tcp`. */
const withoutTrue = (argument: string): string => argument.replace(/=true$/, '');

/** `porter`: serves the text of each variable `SERVE_PORT_<port>` on its port, and of `SERVE_TLS_PORT_<port>` with TLS. */
export const porter: Program = async (process) => {
  const [plain, tls] = [new Map<number, string>(), new Map<number, string>()];
  for (const [name, text] of process.environment) {
    const [, kind, port = ''] = /^SERVE_(TLS_|SCTP_)?PORT_(\d+)$/.exec(name) ?? [];
    if (kind === 'SCTP_') throw new ProgramError(`porter: ${name}: SCTP is not simulated`, 2);
    if (port !== '') (kind === 'TLS_' ? tls : plain).set(Number(port), text);
  }
  const texts = new Map([...plain, ...tls]);
  const ports = { plain: [...plain.keys()], tls: [...tls.keys()] };
  return await serveHttp(process, ports, (_, response, port) => respond(response, texts.get(port) ?? ''));
};

/** The milliseconds after which `liveness` says that it is dead. */
const lifetime = 10_000;

/** `liveness`: `/healthz` on port 8080 succeeds for ten seconds, and then fails. */
export const liveness: Program = async (process) => {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  return await serveHttp(process, { plain: [8080] }, (request, response) => {
    const { path, parameters } = targetOf(request);
    if (path === '/started') respond(response, `${seconds()}s`);
    else if (path === '/healthz' && seconds() * 1000 > lifetime) respond(response, `error: ${seconds()}`, 500);
    else if (path === '/healthz') respond(response, 'ok');
    else if (path === '/redirect') response.writeHead(302, { location: parameters.get('loc') ?? '' }).end();
    else respond(response, '404 page not found\n', 404);
  });
};

/** `grpc-health-checking [--port PORT] [--http-port PORT]`: healthy until `/make-not-serving` is asked for. */
export const grpcHealthChecking: Program = async (process) => {
  const { valuesOf } = parseFlags(argumentsOf(process), {
    flags: ['--delay-unhealthy-sec=-1'],
    valued: ['--port', '--http-port', '--service'],
  });
  const [port, httpPort] = [numberOf(valuesOf('--port')[0] ?? '5000'), numberOf(valuesOf('--http-port')[0] ?? '8080')];
  const { createServer } = await import('node:http2');
  let isServing = true;
  const server = createServer();
  server.on('stream', (stream) => {
    stream.on('error', () => stream.destroy());
    stream.resume().once('end', () => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      // A prefix of five bytes, then the status.
      stream.end(Buffer.of(0, 0, 0, 0, 2, 0x08, isServing ? 1 : 2));
    });
  });
  server.on('sessionError', () => {});
  try {
    process.sandbox.listen(port, process.signal, (connection) => {
      connection.on('error', () => connection.destroy());
      server.emit('connection', connection);
    });
  } catch (error) {
    if (error instanceof AddressInUse) throw new ProgramError(error.message);
    throw error;
  }
  return await serveHttp(process, { plain: [httpPort] }, (request, response) => {
    const { path } = targetOf(request);
    if (path !== '/make-serving' && path !== '/make-not-serving') return respond(response, '404 page not found\n', 404);
    isServing = path === '/make-serving';
    respond(response, '');
  });
};
