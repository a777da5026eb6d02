// The functions that expressions of Kubernetes can call.
import { addresses } from './functions/addresses.js';
import { authorizers } from './functions/authorizer.js';
import { collections } from './functions/collections.js';
import { conversions } from './functions/conversions.js';
import type { Overload } from './functions/define.js';
import { names } from './functions/names.js';
import { operators, optionals } from './functions/operators.js';
import { quantities } from './functions/quantities.js';
import { regex } from './functions/regex.js';
import { strings } from './functions/strings.js';
import { urls } from './functions/urls.js';

const overloads: readonly Overload[] = [
  ...operators,
  ...optionals,
  ...conversions,
  ...strings,
  ...collections,
  ...regex,
  ...urls,
  ...quantities,
  ...addresses,
  ...names,
  ...authorizers,
];

let byName: ReadonlyMap<string, readonly Overload[]> | undefined;

/** Returns the functions by name. */
export function library(): ReadonlyMap<string, readonly Overload[]> {
  if (byName !== undefined) return byName;
  const found = new Map<string, Overload[]>();
  for (const overload of overloads) {
    const { name } = overload;
    const others = found.get(name);
    if (others === undefined) found.set(name, [overload]);
    else others.push(overload);
  }
  byName = found;
  return found;
}
