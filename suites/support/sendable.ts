// Whether a request can be sent at all: what a target gave may stand in its path and its headers.

import type { Header } from '../../matrix/requirements/index.js';
import { Failure } from './expect.js';
import { brief } from './json.js';

/** What may not stand in the value of a header, and in a path: HTTP clients refuse it, each in its own way. */
const unfitValue = /[^\t\x20-\x7e\x80-\xff]/;
const unfitName = /[^!#$%&'*+.^_`|~0-9A-Za-z-]/;
const unfitPath = /[^\x21-\xff]/;

/** Throws a Failure that says what cannot be sent, and where. Of a credential only the kind of character is told. */
export function mustBeSendable(
  { method, path }: { readonly method: string; readonly path: string },
  headers: readonly Header[],
): void {
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
