// The web addresses of the project and of its specification of the interface.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const repositoryUrl = 'https://github.com/kube-api-conformance/kube-api-conformance';

/** Returns the URL of the specification in the version of this package, or of a rule, given a number such as `4.2`. */
export function interfaceUrl(number?: string): string {
  const page = `${repositoryUrl}/blob/v${version}/docs/interface.md`;
  return number === undefined ? page : `${page}#${anchorOf(number)}`;
}

/** Returns the anchor of a rule in docs/interface.md, such as `r-4-2`. */
export function anchorOf(number: string): string {
  return `r-${number.replace('.', '-')}`;
}

const rootAbove = (folder: string): string =>
  existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder));

const manifest = readFileSync(join(rootAbove(import.meta.dirname), 'package.json'), 'utf8');
const { version } = JSON.parse(manifest) as { readonly version: string };
