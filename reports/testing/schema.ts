// Holds a file for programs against the schema that the package has of it.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** What a schema of reports/schema says against values, a sentence each; nothing where one is valid. */
export function faultsBy(name: 'report' | 'compare'): (value: unknown) => string[] {
  const file = new URL(`../schema/${name}.schema.json`, import.meta.url);
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: true });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);
  return (value) =>
    validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
