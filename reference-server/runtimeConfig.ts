// `--runtime-config`: the group versions that are served in addition to the default ones.
import { OptionError } from './optionValues.js';

export type IsEnabled = (groupVersion: string) => boolean;

/** The key that enables all group versions without their own entry. */
const everything = 'api/all';

/**
 * Parses a list of `key[=true|false]`, separated by commas. A key is `<group>/<version>`, `v1` or `api/all`. Only the
 * group versions in `optional` can be disabled; all others are always served. Throws an OptionError that says what to
 * do.
 */
export function parseRuntimeConfig(text: string, optional: readonly string[]): IsEnabled {
  const switches = new Map<string, boolean>();
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [, key, value = 'true'] = /^((?:[a-z0-9][a-z0-9.-]*\/)?[a-z][a-z0-9]*)(?:=(true|false)?)?$/.exec(entry) ?? [];
    if (key === undefined) {
      throw new OptionError(
        `--runtime-config: "${entry}" is not understood: write <group>/<version>=true, with commas`,
      );
    }
    if (value === 'false' && !optional.includes(key)) {
      throw new OptionError(`--runtime-config: ${key} cannot be disabled; only ${optional.join(', ')} can`);
    }
    switches.set(key, value === 'true');
  }
  return (groupVersion) => switches.get(groupVersion) ?? switches.get(everything) ?? false;
}
