// `--runtime-config`: the group versions that are served in addition to the default ones.
import { unknownName } from '../matrix/api/nearest.js';
import { OptionError } from './optionValues.js';

export type IsEnabled = (groupVersion: string) => boolean;

/** The key that enables all group versions without their own entry. */
const everything = 'api/all';
/** What is before the slash in the keys of the core group, and of many group versions at once, such as `api/beta`. */
const api = 'api';

/**
 * Parses a list of `key[=true|false]`, separated by commas. A key is `v1`, `api/all`, or `<group>/<version>` of a group
 * that is served. Only the group versions in `optional` can be disabled; all others are always served. Throws an
 * OptionError that says what to do.
 */
export function parseRuntimeConfig(
  text: string,
  optional: readonly string[],
  groupsServed: readonly string[],
): IsEnabled {
  const groups = [...new Set([...groupsServed, ...optional.flatMap((key) => key.split('/').slice(0, -1))])];
  const switches = new Map<string, boolean>();
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [, key, value = 'true'] = /^((?:[a-z0-9][a-z0-9.-]*\/)?[a-z][a-z0-9]*)(?:=(true|false)?)?$/.exec(entry) ?? [];
    const [group = '', version] = key?.split('/') ?? [];
    if (key === undefined || (version === undefined && key !== 'v1')) {
      throw new OptionError(
        `--runtime-config: "${entry}" is not understood: write <group>/<version>=true, with commas`,
      );
    }
    if (version !== undefined && group !== api && !groups.includes(group))
      throw new OptionError(`--runtime-config: ${unknownName('group', group, groups)}`);
    if (value === 'false' && !optional.includes(key)) {
      throw new OptionError(`--runtime-config: ${key} cannot be disabled; only ${optional.join(', ')} can`);
    }
    switches.set(key, value === 'true');
  }
  return (groupVersion) => switches.get(groupVersion) ?? switches.get(everything) ?? false;
}
