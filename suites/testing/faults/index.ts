// Broken servers: each fault breaks a good server in one way, and names the requirements that must fail.
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { chapters } from '../../requirements/index.js';
import { faults as ofFeatures } from './features.js';
import type { Fault } from './wire/fault.js';

const extension = extname(import.meta.filename);
const files = Object.keys(chapters)
  .sort()
  .map((chapter) => join(import.meta.dirname, '../..', chapter, `faults${extension}`))
  .filter((file) => existsSync(file));
const tables: readonly { readonly faults: readonly Fault[] }[] = await Promise.all(files.map((file) => import(file)));

const all = [...tables.flatMap((table) => table.faults), ...ofFeatures];

/** Every broken server whose cases are of the interface. */
export const faults = all.filter(({ ofFound }) => !ofFound);

/** Every broken server whose cases are of a custom resource alone. */
export const faultsOfFound = all.filter(({ ofFound }) => ofFound);
