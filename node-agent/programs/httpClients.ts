// wget and curl.
import type { IncomingMessage } from 'node:http';
import { posix } from 'node:path';
import { type Program, ProgramError } from '../kernel/process.js';
import { inputFrom, type Output, writeText } from '../kernel/streams.js';
import { portOf } from '../network/httpClient.js';
import { exchange, Failed } from './exchange.js';
import { numberOf, parseFlags } from './flags.js';
import { addressOf } from './resolver.js';

const headerOf = (line: string): readonly [string, string] => {
  const colon = line.indexOf(':');
  if (colon < 1) throw new ProgramError(`"${line}" is not a header`, 2);
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
};

async function copyTo(response: IncomingMessage, output: Output): Promise<void> {
  for await (const chunk of inputFrom(response)) await output.write(chunk);
}

/** `wget [-q] [-S] [-O FILE] [-T SECONDS] [--header LINE]… [--post-data TEXT] [--spider] URL` of busybox. */
export const wget: Program = async (process) => {
  const { flags, valuesOf, rest } = parseFlags(process.argv.slice(1), {
    flags: ['-q', '-S', '--spider', '--no-check-certificate'],
    valued: ['-O', '-T', '-t', '--timeout', '--tries', '--header', '--post-data', '-U'],
  });
  const [target] = rest;
  if (target === undefined || rest.length > 1) throw new ProgramError('usage: wget [-q] [-O FILE] [-T SECONDS] URL', 1);
  const [data] = valuesOf('--post-data');
  const seconds = valuesOf('-T', '--timeout').at(-1);
  const note = (text: string) => (flags.has('-q') ? undefined : writeText(process.stderr, text));
  const request = {
    method: data === undefined ? (flags.has('--spider') ? 'HEAD' : 'GET') : 'POST',
    headers: [['User-Agent', valuesOf('-U').at(-1) ?? 'Wget'] as const, ...valuesOf('--header').map(headerOf)],
    follows: true,
    ...(data !== undefined && { body: Buffer.from(data) }),
    ...(seconds !== undefined && { seconds: numberOf(seconds) }),
  };
  const receive = async (response: IncomingMessage, url: URL) => {
    const { statusCode = 0, statusMessage = '' } = response;
    const address = await addressOf(process.sandbox, url.hostname);
    await note(`Connecting to ${url.host} (${address}:${portOf(url)})\n`);
    if (flags.has('-S')) await writeText(process.stderr, headOf(response, '  '));
    if (statusCode >= 400) {
      throw new ProgramError(`server returned error: HTTP/1.1 ${statusCode} ${statusMessage}`);
    }
    if (flags.has('--spider')) return await note('remote file exists\n');
    const file = valuesOf('-O').at(-1) ?? (posix.basename(url.pathname) || 'index.html');
    if (file === '-') return await copyTo(response, process.stdout);
    const path = posix.resolve(process.directory, file);
    await note(`saving to '${file}'\n`);
    await copyTo(response, process.sandbox.files.open(path, 'truncate'));
    await note(`'${file}' saved\n`);
  };
  try {
    await exchange(process, target, request, receive);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const { trouble, url } = error;
    if (trouble === 'name') throw new ProgramError(`bad address '${url.host}'`);
    if (trouble === 'refused') {
      const address = await addressOf(process.sandbox, url.hostname);
      throw new ProgramError(`can't connect to remote host (${address}): Connection refused`);
    }
    throw new ProgramError(trouble === 'time' ? 'download timed out' : error.message);
  }
  return 0;
};

const headOf = ({ statusCode, statusMessage, rawHeaders }: IncomingMessage, indent = '', end = '\n'): string => {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return lines.map((line) => indent + line + end).join('');
};

/** The exit codes of curl, by what it could not do. */
const curlCodes = { name: 6, refused: 7, time: 28, other: 52 } as const;

/** `curl [-s] [-S] [-f] [-i] [-I] [-k] [-L] [-g] [-X METHOD] [-H LINE]… [-d TEXT] [-o FILE] [-m SECONDS] [-w FORMAT] URL` */
export const curl: Program = async (process) => {
  const { flags, valuesOf, rest } = parseFlags(process.argv.slice(1), {
    flags: [
      '-s',
      '-S',
      '-f',
      '-i',
      '-I',
      '-k',
      '-L',
      '-g',
      '-q',
      '--silent',
      '--show-error',
      '--fail',
      '--head',
      '--insecure',
      '--location',
      '--include',
      '--globoff',
    ],
    valued: [
      '-X',
      '-H',
      '-d',
      '-o',
      '-m',
      '-w',
      '-A',
      '--request',
      '--header',
      '--data',
      '--output',
      '--max-time',
      '--connect-timeout',
      // A container has one address.
      '--interface',
      '--write-out',
      '--user-agent',
    ],
  });
  const has = (...names: readonly string[]) => names.some((name) => flags.has(name));
  const [target] = rest;
  if (target === undefined || rest.length > 1) throw new ProgramError('give one URL; try curl -s URL', 2);
  const data = valuesOf('-d', '--data');
  const isHead = has('-I', '--head');
  const limits = [...valuesOf('-m', '--max-time'), ...valuesOf('--connect-timeout')].map(numberOf);
  const headers = valuesOf('-H', '--header').map(headerOf);
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const own = [
    ['User-Agent', valuesOf('-A', '--user-agent').at(-1) ?? 'curl/7.69.1'] as const,
    ['Accept', '*/*'] as const,
    ...(data.length > 0 ? [['Content-Type', 'application/x-www-form-urlencoded'] as const] : []),
  ];
  const request = {
    method: valuesOf('-X', '--request').at(-1) ?? (isHead ? 'HEAD' : data.length > 0 ? 'POST' : 'GET'),
    headers: [...own.filter(([name]) => !given.has(name.toLowerCase())), ...headers],
    follows: has('-L', '--location'),
    ...(data.length > 0 && { body: Buffer.from(data.join('&')) }),
    ...(limits.length > 0 && { seconds: Math.min(...limits) }),
  };
  const receive = async (response: IncomingMessage) => {
    const { statusCode = 0 } = response;
    if (has('-f', '--fail') && statusCode >= 400) {
      throw new ProgramError(`(22) The requested URL returned error: ${statusCode}`, 22);
    }
    const file = valuesOf('-o', '--output').at(-1);
    const { files } = process.sandbox;
    const output = file === undefined ? process.stdout : files.open(posix.resolve(process.directory, file), 'truncate');
    if (isHead || has('-i', '--include')) await writeText(output, `${headOf(response, '', '\r\n')}\r\n`);
    await copyTo(response, output);
    const format = valuesOf('-w', '--write-out').at(-1);
    if (format !== undefined) {
      const text = format.replaceAll('%{http_code}', String(statusCode).padStart(3, '0')).replaceAll('\\n', '\n');
      await writeText(process.stdout, text);
    }
  };
  try {
    await exchange(process, target, request, receive);
    return 0;
  } catch (error) {
    const silent = has('-s', '--silent') && !has('-S', '--show-error');
    const code =
      error instanceof Failed ? curlCodes[error.trouble] : error instanceof ProgramError ? error.exitCode : 1;
    if (silent && (error instanceof Failed || code === 22)) return code;
    if (!(error instanceof Failed)) throw error;
    throw new ProgramError(`(${code}) ${complaintOf(error)}`, code);
  }
};

function complaintOf({ trouble, url, message }: Failed): string {
  if (trouble === 'name') return `Could not resolve host: ${url.hostname}`;
  if (trouble === 'refused') return `Failed to connect to ${url.hostname} port ${portOf(url)}: Connection refused`;
  return trouble === 'time' ? 'Operation timed out' : message;
}
