// The `interop` command: runs the whole suite on the real server of KUBEBUILDER_ASSETS, of any version.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Target } from '../../matrix/requirements/index.js';
import { judge, readEvidence } from '../../reports/index.js';
import { kubeVersion } from '../envtest/programs.js';
import { packageRoot } from '../files.js';
import { writeRecord } from '../reporting/records.js';
import { resolveTarget } from '../target/target.js';
import { run } from './lifecycle.js';
import { addRunOptions, checkOptions, listCases, type RunOptions } from './options.js';
import { repeatCommand } from './repeatCommand.js';

interface InteropOptions extends RunOptions {
  readonly bare?: true;
  readonly record?: string;
  readonly authorizationMode?: string;
  readonly anonymousAuth?: true;
  readonly controllerManager: boolean;
}

/** Registers `interop`. */
export function registerInterop(program: Command): void {
  const command = program
    .command('interop')
    .description('run the suite on the kube-apiserver of KUBEBUILDER_ASSETS, with all fixtures and a simulated node')
    .option('--bare', 'ignore the target file of its version')
    .addOption(
      new Option('--authorization-mode <mode>', 'authorization mode of the server').choices(['AlwaysAllow', 'RBAC']),
    )
    .option('--anonymous-auth', 'accept requests without credentials, as kubeadm does')
    .option('--no-controller-manager', 'start no kube-controller-manager')
    .option('--record <directory>', 'write a record of the run here: <target>.md and <target>.json')
    .action(async (options: InteropOptions & { readonly list?: true }, command: Command) => {
      if (options.list) listCases(options);
      else process.exitCode = await interop({ ...options, again: repeatCommand(command) });
    });
  addRunOptions(command);
}

async function interop(options: InteropOptions): Promise<number> {
  checkOptions(options);
  const version = await kubeVersion(process.env.KUBEBUILDER_ASSETS ?? '');
  const name = `kube-apiserver-${version.text}`;
  const shipped = join(packageRoot, 'targets', `${name}.yaml`);
  const isKnown = !options.bare && existsSync(shipped);
  const output = resolve(options.output);
  const target = isKnown ? shipped : await writeBareTarget(name, version.minor, output);
  process.stderr.write(isKnown ? `${name}: ${shipped}\n` : withoutTargetFile(name));
  const exitCode = await run(startedWith(resolveTarget({ target }), startFlags(options)), options);
  if (exitCode > 2) return exitCode;
  const file = join(output, 'evidence.jsonl');
  const evidence = await readEvidence(file);
  const verdict = judge(evidence, { shardAlone: true });
  const isFailing = verdict.cases.some((judged) => judged.verdict === 'failed' || judged.verdict === 'blocked');
  if (!isKnown && isFailing) process.stderr.write(howToDeclare({ name, target, evidence: file }));
  if (options.record !== undefined) writeRecord(verdict, evidence, options.record);
  return exitCode;
}

/** Returns the flags of the start command in addition to those of the target file. */
function startFlags({ authorizationMode, anonymousAuth, controllerManager }: InteropOptions): readonly string[] {
  return [
    ...(authorizationMode === undefined ? [] : [`--authorization-mode=${authorizationMode}`]),
    ...(anonymousAuth ? ['--anonymous-auth'] : []),
    ...(controllerManager ? [] : ['--no-controller-manager']),
  ];
}

/** Returns the target with additional start flags, which become part of its name. */
function startedWith(target: Target, flags: readonly string[]): Target {
  const { lifecycle } = target;
  if (lifecycle === undefined || flags.length === 0) return target;
  const name = [
    target.name,
    ...flags.map((flag) => flag.replace(/^--(?:authorization-mode=)?/, '').toLowerCase()),
  ].join('-');
  return { ...target, name, lifecycle: { ...lifecycle, start: `${lifecycle.start} ${flags.join(' ')}` } };
}

/** The first minor version that can reach nodes through a socket. Earlier versions cannot use a simulated node. */
const firstWithEgress = 18;

/** Returns the target file of a server about which only the start command is known. */
const bareTarget = (name: string, minor: number): string => `name: ${name}
start: exec node "$KUBE_API_CONFORMANCE" envtest start --state "$STATE" --fixtures "$FIXTURES" \${EGRESS_SOCKET:+--egress-socket "$EGRESS_SOCKET"}
stop: exec node "$KUBE_API_CONFORMANCE" envtest stop --state "$STATE"
fixtures: true
nodes: ${minor < firstWithEgress ? 'none' : 'ours'}

aliases:
  extensions/v1beta1:
    daemonsets: apps/v1
    deployments: apps/v1
    networkpolicies: networking.k8s.io/v1
    replicasets: apps/v1
`;

async function writeBareTarget(name: string, minor: number, output: string): Promise<string> {
  await mkdir(output, { recursive: true });
  const file = join(output, 'target.yaml');
  await writeFile(file, bareTarget(name, minor));
  return file;
}

const withoutTargetFile = (name: string): string =>
  `${name}: there is no target file for this version, so no deviations are declared and every difference fails\n`;

interface Bare {
  readonly name: string;
  readonly target: string;
  readonly evidence: string;
}

const howToDeclare = ({ name, target, evidence }: Bare): string => `
The failures above are not declared as deviations. To write a target file:
  1. cp ${target} ${name}.yaml
  2. kube-api-conformance deviations --from ${evidence} >> ${name}.yaml
  3. look at each failure in the report; give each deviation its reason, or fix what is no deviation
  4. kube-api-conformance run --target ${name}.yaml
`;
