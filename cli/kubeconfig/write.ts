// Writes a kubeconfig: the address of a server, its certificate authority, and a token.
import { writeSecretFile } from '../files.js';

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

/** Writes a kubeconfig, like `writeSecretFile`. */
export const writeKubeconfig = (file: string, facts: KubeconfigFacts): Promise<void> =>
  writeSecretFile(file, renderKubeconfig(facts));
