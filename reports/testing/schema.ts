// Validates JSON files by the schemas of the package.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Returns a function that returns the errors of a value by a schema of reports/schema, one sentence each. */
export function faultsBy(name: 'report' | 'compare'): (value: unknown) => string[] {
  const file = new URL(`../schema/${name}.schema.json`, import.meta.url);
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: true });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);
  return (value) =>
    validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
