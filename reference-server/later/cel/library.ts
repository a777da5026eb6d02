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

/** The functions by name. */
export const library: ReadonlyMap<string, readonly Overload[]> = new Map(
  overloads.map(({ name }) => [name, overloads.filter((overload) => overload.name === name)]),
);
