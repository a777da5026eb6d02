// The first error of a validator in words: the path in the body, the value, and what is wrong with it.
import type { ErrorObject } from 'ajv';
import { brief, isObject } from '../../client/json.js';

/** Returns the words for an error of ajv in a body. */
export function inWords({ instancePath, message, params }: ErrorObject, body: unknown): string {
  const steps = instancePath.split('/').slice(1).map(pointerStep);
  const path = steps.reduce(
    (text, step) => (/^\d+$/.test(step) ? `${text}[${step}]` : text ? `${text}.${step}` : step),
    '',
  );
  const value = steps.reduce<unknown>((here, step) => (here as Record<string, unknown> | null)?.[step], body);
  const allowed = 'allowedValues' in params ? `: ${brief(params.allowedValues)}` : '';
  const found = isObject(value) ? 'it' : brief(value);
  return `${path === '' ? '' : `${path}: `}${found} ${message}${allowed}`;
}

const pointerStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');
