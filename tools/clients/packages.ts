// What `npm ci --prefix tools/clients` installs: packages that single tests need, and that no other developer has to wait for.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Whether the packages are installed. */
export const hasPackages = existsSync(join(import.meta.dirname, 'node_modules'));

/** What a test says that needs them where they are absent. */
export const withoutPackages = 'not run: npm ci --prefix tools/clients';

/** The path of a file of a package: `axe-core/axe.min.js`. Throws where the packages are not installed. */
export const packageFile = createRequire(import.meta.url).resolve;
