// The `certs` command: the document's two routes to a server certificate (Authentication/Certificate preparation).
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import {
  CertificateError,
  generateKey,
  makeAuthority,
  makeScriptCertificates,
  makeSigningRequest,
  type NewFile,
  signServerRequest,
  writeNewFiles,
} from '../test-certs/index.js';
import { UsageError } from './errors.js';

interface Options {
  readonly ip: string;
  readonly san: readonly string[];
  readonly days: number;
  readonly out: string;
  readonly force?: boolean;
}

/** Makes the files of one step from the files of earlier steps. */
type Step = (options: Options) => Promise<readonly NewFile[]>;

/** Registers `certs`, which runs the script, and a subcommand for each step of the manual route. */
export function registerCerts(program: Command): void {
  const certs = program
    .command('certs')
    .description('make a server certificate, in one step or in the steps of the subcommands');
  const command = (name: string, description: string, step: Step, isDefault = false): Command =>
    certs
      .command(name, { isDefault })
      .description(description)
      .option('--out <directory>', 'directory of the files', '.')
      .option('--force', 'replace existing files')
      .action((options: Options) => perform(step, options));
  const withDays = (described: Command): Command =>
    described.option('--days <number>', 'days that the certificate is valid', wholeDays, 365);
  const withAddress = (described: Command): Command =>
    described.requiredOption('--ip <address>', 'address of the server; the common name of its certificate');

  withDays(withAddress(command('script', 'write ca.crt, ca.key, server.crt and server.key', script, true))).option(
    '--san <names>',
    'IP:<address> and DNS:<name>, separated by commas',
    collect,
    [],
  );
  command('ca-key', 'step 1: write ca.key, an RSA key of 2048 bits', key('ca.key'));
  withDays(command('ca-cert', 'step 2: write ca.crt for ca.key', authority));
  command('server-key', 'step 3: write server.key, an RSA key of 2048 bits', key('server.key'));
  withAddress(command('signing-request', 'step 4: write server.csr for server.key', signingRequest));
  withDays(command('server-cert', 'step 5: write server.crt, server.csr signed by the authority', serverCertificate));
}

async function perform(step: Step, options: Options): Promise<void> {
  try {
    const files = await step(options);
    await writeNewFiles(options.out, files, options.force);
    for (const { path } of files) process.stdout.write(`${join(options.out, path)}\n`);
  } catch (error) {
    if (error instanceof CertificateError) throw new UsageError(`certs: ${error.message}`);
    throw error;
  }
}

const script: Step = async ({ ip, san, days }) => {
  const { ca, server } = await makeScriptCertificates(ip, { names: san, days, keyKind: 'rsa-2048' });
  return [
    { path: 'ca.crt', text: ca.certificate },
    { path: 'ca.key', text: ca.key, secret: true },
    { path: 'server.crt', text: server.certificate },
    { path: 'server.key', text: server.key, secret: true },
  ];
};

const key =
  (path: string): Step =>
  async () => [{ path, text: await generateKey('rsa-2048'), secret: true }];

const authority: Step = async ({ out, days }) => [
  { path: 'ca.crt', text: await makeAuthority(await earlier(out, 'ca.key', 'ca-key'), days) },
];

const signingRequest: Step = async ({ out, ip }) => [
  { path: 'server.csr', text: makeSigningRequest(await earlier(out, 'server.key', 'server-key'), ip) },
];

const serverCertificate: Step = async ({ out, days }) => {
  const ca = {
    certificate: await earlier(out, 'ca.crt', 'ca-cert'),
    key: await earlier(out, 'ca.key', 'ca-key'),
  };
  const request = await earlier(out, 'server.csr', 'signing-request');
  return [{ path: 'server.crt', text: signServerRequest(request, ca, days) }];
};

async function earlier(folder: string, name: string, step: string): Promise<string> {
  return await readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`certs: ${join(folder, name)}: ${error.code}: make it with \`certs ${step}\` first`);
  });
}

function wholeDays(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('Give a number of days from 1 to 99999.');
  return Number(text);
}

function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, ...text.split(',').map((name) => name.trim())];
}
