// An exchange of server-side apply: a request, and what must be in the response.

/** A request, and what must be in the response. */
export interface Exchange {
  readonly what: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** The path below `/api/v1/namespaces/default/`, or an absolute path. */
  readonly path: string;
  /** The short name of the patch type; `apply` and `merge` are sent as JSON, `yaml` as it is. */
  readonly type?: 'apply' | 'merge' | 'json' | 'yaml';
  readonly agent?: string;
  readonly body?: unknown;
  readonly code: number;
  /** The fields of the response, by path: a name in brackets finds an item. */
  readonly has?: Readonly<Record<string, unknown>>;
  /** The managers with their fields, in order, without times: `name Operation version subresource` to fieldsV1. */
  readonly owners?: readonly (readonly [string, object])[];
  /** Whether the resourceVersion is that of the response before. */
  readonly sameVersion?: boolean;
}

export const configMap = (name: string, more: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...more,
});

export const member = {};
export const data = (...names: string[]) => ({
  'f:data': Object.fromEntries(names.map((name) => [`f:${name}`, member])),
});
export const newData = (...names: string[]) => ({
  'f:data': { '.': member, ...Object.fromEntries(names.map((name) => [`f:${name}`, member])) },
});

export const apply = (
  what: string,
  path: string,
  body: unknown,
  code: number,
  more: Partial<Exchange> = {},
): Exchange => ({
  what,
  method: 'PATCH',
  type: 'apply',
  path,
  body,
  code,
  ...more,
});
