// The target kube-apiserver: the server of KUBEBUILDER_ASSETS, of any version.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../../suites/requirements/index.js';
import { kubeVersion } from '../envtest/programs.js';
import { packageRoot } from '../files.js';
import { resolveTarget, type TargetOptions } from '../target/target.js';

export const kubeApiserver = 'kube-apiserver';

/** The first minor version that can reach nodes through a socket. Earlier versions cannot use a simulated node. */
const firstWithEgress = 18;

/**
 * Returns the target of the package's file for the version, or of the file without deviations. Prints which. Throws
 * UsageError if there is no such server.
 */
export async function targetOfAssets(options: TargetOptions): Promise<Target> {
  const version = await kubeVersion(process.env.KUBEBUILDER_ASSETS ?? '');
  const name = `${kubeApiserver}-${version.text}`;
  const fileOf = (of: string): string => join(packageRoot, 'targets', `${of}.yaml`);
  if (existsSync(fileOf(name))) {
    process.stderr.write(`${name}: ${fileOf(name)}\n`);
    return resolveTarget({ ...options, target: fileOf(name) });
  }
  process.stderr.write(
    `${name}: no deviations are known of this version; ${fileOf(kubeApiserver)} says how to declare them\n`,
  );
  const target = resolveTarget({ ...options, target: fileOf(kubeApiserver) });
  return { ...target, name: options.name ?? name, ...(version.minor < firstWithEgress && { nodes: 'none' }) };
}
