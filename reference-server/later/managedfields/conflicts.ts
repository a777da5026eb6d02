// The 409 of an apply that would change fields of other managers.
import { StatusError } from '../../statusError.js';
import { pathsOf } from './fieldSet.js';
import { pathText } from './steps.js';
import type { Conflict } from './update.js';

/** The most conflicts that a response has as causes. */
const mostCauses = 1000;

/** 409 with a cause for each field. */
export function applyConflict(conflicts: readonly Conflict[]): StatusError {
  const groups = conflicts
    .map(({ managed, paths }) => ({
      who: nameOf(managed),
      fields: [...pathsOf(paths)].map((steps) => pathText(steps)),
    }))
    .sort((one, other) => (one.who < other.who ? -1 : 1));
  const causes = groups.flatMap(({ who, fields }) =>
    fields.map((field) => ({ reason: 'FieldManagerConflict' as const, message: `conflict with ${who}`, field })),
  );
  const [only] = causes;
  const list = groups.map(({ who, fields }) => [`conflicts with ${who}:`, ...fields.map((field) => `- ${field}`)]);
  const message =
    causes.length === 1 && only !== undefined
      ? `Apply failed with 1 conflict: ${only.message}: ${only.field}`
      : `Apply failed with ${causes.length} conflicts: ${list.flat().join('\n')}`;
  return new StatusError(409, 'Conflict', message, { causes: causes.slice(0, mostCauses) });
}

function nameOf({ manager, operation, apiVersion, subresource }: Conflict['managed']): string {
  const through = subresource === undefined ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(manager)}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
