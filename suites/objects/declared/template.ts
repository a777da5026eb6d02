// From the path of a request to the path template of its operation.

/** Returns the path template of a request for an object or a list; undefined for other paths and for watches. */
export function templateOf(path: string): string | undefined {
  const [plain = '', query = ''] = path.split('?', 2);
  if (/(?:^|&)watch=(?!false|0(?:&|$))/.test(query)) return undefined;
  const [prefix, rest] = prefixOf(plain);
  if (prefix === undefined) return undefined;
  const [first, ...others] = rest;
  if (first === 'watch' || first === 'proxy') return undefined;
  if (first === undefined) return prefix;
  if (first !== 'namespaces' || others.length < 2 || namespaceParts.has(others[1] ?? '')) return inScope(prefix, rest);
  return inScope(`${prefix}/namespaces/{namespace}`, others.slice(1));
}

/** The subresources of a namespace: other names after that of a namespace are resources. */
const namespaceParts = new Set(['status', 'finalize']);

function prefixOf(path: string): readonly [string | undefined, readonly string[]] {
  const [, root, ...steps] = path.replace(/\/$/, '').split('/');
  if (root === 'api' && steps[0]) return [`/api/${steps[0]}`, steps.slice(1)];
  if (root === 'apis' && steps[0] && steps[1]) return [`/apis/${steps[0]}/${steps[1]}`, steps.slice(2)];
  return [undefined, []];
}

function inScope(prefix: string, [plural, name, ...subresource]: readonly string[]): string {
  return [prefix, plural, ...(name === undefined ? [] : ['{name}']), ...subresource].join('/');
}
