// Whether a request can be sent at all: its path and headers may contain values that a target returned.

import type { Header } from '../requirements/index.js';
import { Failure } from './expect.js';
import { brief } from './json.js';

/** Characters that HTTP clients reject in the value of a header, in the name of a header and in a path. */
const unfitValue = /[^\t\x20-\x7e\x80-\xff]/;
const unfitName = /[^!#$%&'*+.^_`|~0-9A-Za-z-]/;
const unfitPath = /[^\x21-\xff]/;

/** The maximum length of a path or of a header: more than any server reads, and than the evidence can hold. */
const longest = 1024 * 1024;

/** Throws a Failure that names the invalid character and its place. Does not show any other part of a credential. */
export function mustBeSendable(
  { method, path }: { readonly method: string; readonly path: string },
  headers: readonly Header[],
): void {
  const long = [path, ...headers.map(([, value]) => value)].find(({ length }) => length > longest);
  if (long !== undefined)
    throw new Failure(
      `${method} ${brief(path.slice(0, 300))} cannot be sent: a part of it has ${long.length} characters`,
    );
  const inPath = path.startsWith('/') ? unfitPath.exec(path) : /^/.exec(path);
  if (inPath !== null)
    throw new Failure(`${method} ${brief(path)} cannot be sent: ${characterAt(path, inPath.index)} in its path`);
  for (const [name, value] of headers) {
    const where = name === '' || unfitName.test(name) ? 0 : unfitValue.exec(value)?.index;
    if (where === undefined) continue;
    const what = `${characterAt(value, where)} at place ${where + 1} of the ${value.length} of the header ${brief(name)}`;
    throw new Failure(
      `${method} ${path} cannot be sent: ${what}; where that is a credential, the target gave one that no request can carry`,
    );
  }
}

function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? 'nothing' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
