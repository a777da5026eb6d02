// URLs as Go reads them: an absolute URI or an absolute path.
import { List, MapValue, Opaque } from '../values.js';
import { define, fail, type Overload, readCost } from './define.js';

class Url extends Opaque {
  readonly typeName = 'kubernetes.URL';

  constructor(
    readonly text: string,
    readonly scheme: string,
    readonly host: string,
    readonly path: string,
    readonly query: string,
  ) {
    super();
  }

  equals(other: Url): boolean {
    return this.text === other.text;
  }
}

function failed(text: string, why: string): never {
  return fail(`URL parse error during conversion from string: parse ${JSON.stringify(text)}: ${why}`);
}

/** Reports whether each `%` begins an escape. */
const isEscaped = (text: string): boolean => !/%(?![0-9a-fA-F]{2})/.test(text);

function parse(text: string): Url {
  const control = [...text].some((character) => character < ' ' || character === '\x7f');
  if (control) return failed(text, 'net/url: invalid control character in URL');
  if (text === '') return failed(text, 'empty url');
  const [, scheme = '', afterScheme = text] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(text) ?? [];
  const question = afterScheme.indexOf('?');
  const query = question === -1 ? '' : afterScheme.slice(question + 1);
  const rest = question === -1 ? afterScheme : afterScheme.slice(0, question);
  if (!rest.startsWith('/')) {
    if (scheme === '') return failed(text, 'invalid URI for request');
    return new Url(text, scheme.toLowerCase(), '', '', query);
  }
  const hasHost = scheme !== '' && rest.startsWith('//');
  const slash = hasHost ? rest.indexOf('/', 2) : 0;
  const authority = hasHost ? rest.slice(2, slash === -1 ? undefined : slash) : '';
  const path = slash === -1 ? '' : rest.slice(slash);
  if (!isEscaped(path))
    return failed(
      text,
      `invalid URL escape ${JSON.stringify(/%.{0,2}/.exec(path.replace(/%[0-9a-fA-F]{2}/g, ''))?.[0])}`,
    );
  return new Url(text, scheme.toLowerCase(), hostOf(text, authority), path, query);
}

function hostOf(text: string, authority: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const [, inBrackets, port] = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/s.exec(host) ?? [];
  if (inBrackets === undefined)
    return failed(
      text,
      host.startsWith('[')
        ? "missing ']' in host"
        : `invalid port ${JSON.stringify(host.slice(host.lastIndexOf(':')))} after host`,
    );
  if (port !== undefined && !/^\d*$/.test(port))
    return failed(text, `invalid port ${JSON.stringify(`:${port}`)} after host`);
  if (/[\s<>"^`{|}\\]/.test(inBrackets)) {
    const bad = /[\s<>"^`{|}\\]/.exec(inBrackets)?.[0] ?? '';
    return failed(text, `invalid character ${JSON.stringify(bad)} in host name`);
  }
  return host;
}

function isUrl(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

const hostname = ({ host }: Url): string => host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function queryOf({ query }: Url): MapValue {
  const values = new Map<string, string[]>();
  for (const part of query === '' ? [] : query.split('&')) {
    if (part === '' || part.includes(';') || !isEscaped(part)) continue;
    const [name = '', ...value] = part.split('=');
    const key = unescaped(name);
    values.set(key, [...(values.get(key) ?? []), unescaped(value.join('='))]);
  }
  const map = new MapValue();
  for (const [name, list] of values) map.set(name, new List(list));
  return map;
}

/** Returns the path with escapes where a path needs them. */
const escapedPath = ({ path }: Url): string =>
  path.replace(/[^A-Za-z0-9\-_.~!$&'()*+,;=:@/%[\]]/gu, (character) => encodeURIComponent(character));

export const urls: readonly Overload[] = [
  define<[string]>('url(string): kubernetes.URL', parse, readCost),
  define<[string]>('isURL(string): bool', isUrl, readCost),
  define<[Url]>('(kubernetes.URL).getScheme(): string', ({ scheme }) => scheme),
  define<[Url]>('(kubernetes.URL).getHost(): string', ({ host }) => host),
  define<[Url]>('(kubernetes.URL).getHostname(): string', hostname),
  define<[Url]>('(kubernetes.URL).getPort(): string', ({ host }) => /:(\d*)$/.exec(host)?.[1] ?? ''),
  define<[Url]>('(kubernetes.URL).getEscapedPath(): string', escapedPath),
  define<[Url]>('(kubernetes.URL).getQuery(): map(string, list(string))', queryOf),
];
