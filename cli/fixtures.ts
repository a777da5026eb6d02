// The `fixtures` command: writes the files that a server needs for the suite, and prints its options.
import type { Command } from 'commander';
import { CertificateError, writeNewFiles } from '../test-certs/index.js';
import { UsageError } from './errors.js';
import { readFixtures } from './fixtures/directory.js';
import { kubeApiserverFlags, optionsOfVersion, referenceServerFlags } from './fixtures/flags.js';
import { makeFixtures } from './fixtures/make.js';

interface Options {
  readonly out: string;
  readonly ip: string;
  readonly san?: string;
  readonly standInsAddress: string;
  readonly oidcUsernameClaim?: string;
  readonly kubeVersion: string;
  readonly force?: boolean;
}

/** Registers `fixtures`. */
export function registerFixtures(program: Command): void {
  program
    .command('fixtures')
    .description('write certificates, users and settings to start a server with, and print the options for it')
    .requiredOption('--out <directory>', 'directory for the files')
    .option('--ip <address>', 'address of the server', '127.0.0.1')
    .option('--san <names>', 'IP:<address> and DNS:<name> of the server, separated by commas')
    .option(
      '--stand-ins-address <address>',
      'address of this machine where the server reaches the backends of the suite',
      '127.0.0.1',
    )
    .option('--oidc-username-claim <claim>', 'claim of ID tokens that names the user')
    .option('--kube-version <version>', 'print the options of a kube-apiserver of this version', '1.36')
    .option('--force', 'replace existing files')
    .action(fixtures);
}

async function fixtures(options: Options): Promise<void> {
  const { out, ip, san, standInsAddress, oidcUsernameClaim, kubeVersion, force } = options;
  const minor = minorOf(kubeVersion);
  const choices = {
    ip,
    names: san?.split(',').map((name) => name.trim()) ?? [],
    standInsAddress,
    ...(oidcUsernameClaim === undefined ? {} : { usernameClaim: oidcUsernameClaim }),
  };
  try {
    await writeNewFiles(out, await makeFixtures(choices), force);
  } catch (error) {
    if (error instanceof CertificateError) throw new UsageError(`fixtures: ${error.message}`);
    if ((error as NodeJS.ErrnoException).syscall === 'listen') {
      throw new UsageError(`fixtures: --stand-ins-address: ${standInsAddress} is not an address of this machine`);
    }
    throw error;
  }
  const made = await readFixtures(out);
  const list = (title: string, flags: readonly string[]): string =>
    `${title}\n${flags.map((f) => `  ${f}\n`).join('')}`;
  process.stdout.write(list('reference server (serve):', referenceServerFlags(out, made)));
  process.stdout.write(list(`kube-apiserver 1.${minor}:`, kubeApiserverFlags(out, made, optionsOfVersion(minor))));
  process.stdout.write(`then: kube-api-conformance run --fixtures ${out} --url https://…\n`);
}

/** Returns the minor version, `20` for `1.20` and `v1.20.2`. Throws UsageError for other text. */
function minorOf(version: string): number {
  const minor = /^v?1\.(\d{1,3})(?:\.\d+)?$/.exec(version)?.[1];
  if (minor === undefined)
    throw new UsageError(`fixtures: --kube-version: "${version}" is not a version; give one such as 1.20`);
  return Number(minor);
}
