// Where this package is, and which version it is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of package.json; this file is compiled to dist/cli. */
export const packageRoot = join(import.meta.dirname, '..', '..');

/** The version of this package. */
export const version = (
  JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { readonly version: string }
).version;
