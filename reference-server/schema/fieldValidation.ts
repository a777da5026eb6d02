// The `fieldValidation` parameter: what happens to fields of a body that are unknown or occur twice.
import type { Causes } from './causes.js';

/** `Ignore` drops such fields, `Warn` drops them with a warning, and `Strict` refuses the request. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** What a request does with such fields; absent if the fields are ignored. */
export interface FieldCheck {
  readonly isStrict: boolean;
  warn(text: string): void;
}

/** The part of a request that the check depends on. */
interface Checked {
  readonly query: URLSearchParams;
  warn(text: string): void;
}

const parameter = 'fieldValidation';
const values: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'] satisfies (FieldValidation | '')[];

/** The minor version since which servers warn of such fields when a request does not say what to do. */
const warnsSince = 25;

/** Returns what happens to such fields on a server that reports a version such as `1.36` if a request does not say it. */
export const usualFieldValidation = (kubeVersion: string): FieldValidation =>
  Number(kubeVersion.split('.')[1]) >= warnsSince ? 'Warn' : 'Ignore';

/** Writes the value that holds for a request without one into its query. */
export function completeFieldValidation(query: URLSearchParams, usual: FieldValidation): void {
  if (usual !== 'Ignore' && (query.get(parameter) ?? '') === '') query.set(parameter, usual);
}

/**
 * Reports whether a request has the parameter, also with a value that is refused later. A body with a repeated field is
 * malformed without it.
 */
export const validatesFields = (query: URLSearchParams): boolean => (query.get(parameter) ?? '') !== '';

/** Adds a cause unless the parameter is absent or has a valid value. */
export function checkFieldValidation(query: URLSearchParams, causes: Causes): void {
  const value = query.get(parameter) ?? '';
  if (!values.includes(value)) causes.notSupported(parameter, value, values);
}

/** Returns the check that a request asks for; none if the parameter is absent or says so. */
export function fieldCheckOf(request: Checked): FieldCheck | undefined {
  const value = request.query.get(parameter) ?? '';
  if (value !== 'Strict' && value !== 'Warn') return undefined;
  return { isStrict: value === 'Strict', warn: (text) => request.warn(text) };
}
