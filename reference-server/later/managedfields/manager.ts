// The `fieldManager` and `force` parameters: who writes, and whether an apply takes fields from others.
import { applyPatchType } from '../../../matrix/api/index.js';
import type { Manager } from '../../registry/fields.js';
import type { ApiRequest } from '../../request.js';
import type { Causes } from '../../schema/causes.js';

/** The longest name of a manager, in bytes. */
const longest = 128;

/** Unprintable characters: a name has letters, marks, numbers, punctuation, symbols and spaces. */
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

const printableAscii = /^[ -~]*$/;

/** Reports whether a request applies a configuration. */
const isApply = ({ body }: Pick<ApiRequest, 'body'>): boolean => body?.mediaType === applyPatchType;

/**
 * Returns the manager of a write: that of the request, or the beginning of its User-Agent. Adds a cause for a bad name,
 * for an apply without one, and for `force` without an apply.
 */
export function managerOf(request: ApiRequest, causes: Causes, subresource?: string): Manager {
  const given = request.query.get('fieldManager') ?? '';
  if (isApply(request)) {
    if (given === '') causes.required('fieldManager', 'is required for apply patch');
  } else if (request.operation.method === 'PATCH' && request.query.has('force')) {
    causes.forbidden('force', 'may not be specified for non-apply patch');
  }
  if (Buffer.byteLength(given) > longest) causes.longerThan('fieldManager', longest);
  const [character] = unprintable.exec(given) ?? [];
  if (character !== undefined) {
    const shown = `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
    const at = Buffer.byteLength(given.slice(0, given.indexOf(character)));
    causes.invalid('fieldManager', given, `invalid character ${shown} (at position ${at})`);
  }
  const name = given || nameInAgent(request.headers['user-agent'] ?? '') || 'unknown';
  return { name, ...(subresource !== undefined && { subresource }) };
}

/** The name of the client in a User-Agent: what is before the first slash, as much as a name may have. */
function nameInAgent(agent: string): string {
  const end = agent.indexOf('/');
  const given = (end === -1 ? agent : agent.slice(0, end)).slice(0, longest);
  if (printableAscii.test(given)) return given;
  let name = '';
  for (const character of given) {
    if (unprintable.test(character)) continue;
    if (Buffer.byteLength(name + character) > longest) break;
    name += character;
  }
  return name;
}

/** Reports whether an apply may take fields from other managers. */
export const isForced = ({ query }: Pick<ApiRequest, 'query'>): boolean =>
  ['true', '1', 'True', 'TRUE', 't', 'T'].includes(query.get('force') ?? '');
