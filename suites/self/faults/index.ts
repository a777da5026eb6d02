// Broken servers, one file for each chapter: each row breaks a good server in one way and names the requirements that must fail.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from './wire/fault.js';

/** The files of tables beside this one: those of the chapters, and `features`. */
const names = readdirSync(import.meta.dirname).filter((name) => /^(?!index)[a-zA-Z]+\.[jt]s$/.test(name));
const files = names.sort().map((name) => join(import.meta.dirname, name));
const tables: readonly { readonly faults: readonly Fault[] }[] = await Promise.all(files.map((file) => import(file)));

const all = tables.flatMap((table) => table.faults);

/** Every broken server whose cases are of the interface. */
export const faults = all.filter(({ ofFound }) => !ofFound);

/** Every broken server whose cases are of a custom resource alone. */
export const faultsOfFound = all.filter(({ ofFound }) => ofFound);
