// Writes a kubeconfig: the address of a server, its certificate authority, and a token.
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface KubeconfigFacts {
  readonly url: string;
  /** PEM. */
  readonly caCertificate: string;
  readonly token?: string;
}

/** Returns the text of a kubeconfig with one cluster, one user and one context, which is the current one. */
export function renderKubeconfig({ url, caCertificate, token }: KubeconfigFacts): string {
  const name = 'kube-api-conformance';
  const user = token === undefined ? '{}' : `\n    token: ${JSON.stringify(token)}`;
  return `apiVersion: v1
kind: Config
current-context: ${name}
clusters:
- name: ${name}
  cluster:
    server: ${JSON.stringify(url)}
    certificate-authority-data: ${Buffer.from(caCertificate).toString('base64')}
users:
- name: ${name}
  user: ${user}
contexts:
- name: ${name}
  context:
    cluster: ${name}
    user: ${name}
`;
}

/**
 * Writes a kubeconfig that only its owner can read. The file appears complete or not at all, so that programs that wait
 * for it can read it at once. Rejects with the file system's error.
 */
export async function writeKubeconfig(file: string, facts: KubeconfigFacts): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(renderKubeconfig(facts));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
