// The functions for tests while the server is open: after its close, each says so at once.
import { OptionError } from '../../optionValues.js';

/** The functions that do not return a promise; all others reject. */
const immediate = new Set(['fail', 'delay', 'cutWatches', 'list', 'clear']);

/**
 * Returns an object whose functions of these names throw or reject with an OptionError, such as `load: this server is
 * closed`, once the server is closed. `prefix` begins the names. Other members stay as they are.
 */
export function whileOpen<Members extends object>(
  members: Members,
  names: readonly (keyof Members & string)[],
  isClosed: () => boolean,
  prefix = '',
): Members {
  const guarded = names.map((name) => {
    const call = (members[name] as (...args: readonly unknown[]) => unknown).bind(members);
    const guard = (...args: readonly unknown[]): unknown => {
      if (!isClosed()) return call(...args);
      const error = new OptionError(`${prefix}${name}: this server is closed`);
      if (immediate.has(name)) throw error;
      return Promise.reject(error);
    };
    return [name, guard] as const;
  });
  return { ...members, ...Object.fromEntries(guarded) };
}
