// Resolves a method and a URL to an operation: a trie of path segments, built from the table of operations.
import type { Operation } from '../../matrix/api/index.js';
import { badRequest, methodNotAllowed } from '../errors.js';
import type { PathParameters } from '../request.js';

/** An operation and the values of its path template. */
export interface Route {
  readonly operation: Operation;
  readonly path: PathParameters;
}

/** The two parts of a URL: the path exactly as sent, and the query without the question mark. */
export interface Target {
  readonly pathname: string;
  readonly search: string;
}

type Parameter = keyof PathParameters;

interface Node {
  readonly literals: Map<string, Node>;
  parameter?: Node;
  /** Below this node, the rest of the path belongs to the proxied backend and is not decoded. */
  rest?: Node;
  /** The names of the parameters above this node, in order. Set if the node has operations. */
  names: readonly Parameter[];
  readonly operations: Map<string, Operation>;
}

export class Resolver {
  readonly #root = newNode();

  constructor(operations: Iterable<Operation>) {
    this.add(operations);
  }

  /** Adds operations to the table. Requests in progress keep their route. */
  add(operations: Iterable<Operation>): void {
    for (const operation of operations) add(this.#root, operation);
  }

  /** Removes operations from the table. */
  remove(operations: Iterable<Operation>): void {
    for (const operation of operations) remove(this.#root, operation);
  }

  /**
   * Finds the operation, in a time that depends only on the path. Returns undefined for an unknown path. Throws 405 for
   * another method of a known path, and 400 for a segment that cannot be decoded or is not a valid name. Ignores one
   * slash at the end; an empty segment elsewhere matches nothing, but for an empty namespace.
   */
  resolve(method: string, pathname: string): Route | undefined {
    return emptyNamespace.test(pathname) ? this.#withoutNamespace(method, pathname) : this.#find(method, pathname);
  }

  /**
   * Clients that are given no namespace send an empty one: a list or watch is then of all namespaces. Throws 400 for any
   * other operation.
   */
  #withoutNamespace(method: string, pathname: string): Route | undefined {
    if (this.#find(method, pathname.replace(emptyNamespace, '$1/namespaces/any/')) === undefined) return undefined;
    const ofAll = method === 'GET' ? this.#find(method, pathname.replace(emptyNamespace, '$1/')) : undefined;
    if (ofAll === undefined) throw badRequest('Namespace parameter required.');
    return ofAll;
  }

  #find(method: string, pathname: string): Route | undefined {
    if (pathname.charCodeAt(0) !== slash) return undefined;
    let node = this.#root;
    const values: string[] = [];
    for (let start = 1; start < pathname.length; ) {
      const found = pathname.indexOf('/', start);
      const end = found === -1 ? pathname.length : found;
      if (end === start) return undefined;
      const segment = decode(pathname.slice(start, end));
      const literal = node.literals.get(segment);
      if (literal !== undefined) {
        node = literal;
      } else if (node.parameter !== undefined) {
        values.push(segment);
        node = node.parameter;
      } else {
        return undefined;
      }
      start = end + 1;
      if (node.rest !== undefined && found !== -1) {
        values.push(pathname.slice(start));
        node = node.rest;
        break;
      }
    }
    if (node.operations.size === 0) return undefined;
    const operation = node.operations.get(method);
    if (operation === undefined) throw methodNotAllowed([...node.operations.keys()]);
    return { operation, path: bind(node.names, values) };
  }
}

/** Splits a request target. An absolute URL counts as its path, as HTTP requires (RFC 9112, 3.2.2). */
export function splitTarget(url: string): Target {
  const start = url.charCodeAt(0) === slash ? 0 : originEnd(url);
  const question = url.indexOf('?', start);
  if (question === -1) return { pathname: url.slice(start) || '/', search: '' };
  return { pathname: url.slice(start, question) || '/', search: url.slice(question + 1) };
}

const slash = 0x2f;

/** The path of a resource up to an empty namespace. */
const emptyNamespace = /^(\/(?:api|apis\/[^/]+)\/[^/]+(?:\/watch)?)\/namespaces\/\/(?=[^/])/;

function originEnd(url: string): number {
  return /^https?:\/\/[^/?]*/i.exec(url)?.[0].length ?? 0;
}

function newNode(): Node {
  return { literals: new Map(), names: [], operations: new Map() };
}

function add(root: Node, operation: Operation): void {
  let node = root;
  const names: Parameter[] = [];
  for (const segment of operation.path.split('/').slice(1)) {
    if (segment === '') continue;
    const key = keyOf(segment);
    if (key === undefined) {
      node = child(node, segment);
    } else {
      names.push(segment.slice(1, -1) as Parameter);
      node = node[key] ??= newNode();
    }
  }
  node.names = names;
  for (const method of methodsOf(operation)) node.operations.set(method, operation);
}

/** Removes an operation, and the nodes that only its path needed. */
function remove(root: Node, operation: Operation): void {
  const passed: { readonly node: Node; readonly segment: string }[] = [];
  let node: Node | undefined = root;
  for (const segment of operation.path.split('/').slice(1)) {
    if (node === undefined) return;
    passed.push({ node, segment });
    const key = keyOf(segment);
    node = key === undefined ? node.literals.get(segment) : node[key];
  }
  for (const method of methodsOf(operation)) node?.operations.delete(method);
  for (const { node: parent, segment } of passed.reverse()) {
    if (node === undefined || !isEmpty(node)) return;
    const key = keyOf(segment);
    if (key === undefined) parent.literals.delete(segment);
    else delete parent[key];
    node = parent;
  }
}

/** The field of a node for the values of a parameter; undefined for a literal segment. */
function keyOf(segment: string): 'parameter' | 'rest' | undefined {
  if (!segment.startsWith('{')) return undefined;
  return segment === '{path}' ? 'rest' : 'parameter';
}

const isEmpty = ({ literals, parameter, rest, operations }: Node): boolean =>
  literals.size + operations.size === 0 && parameter === undefined && rest === undefined;

/** Methods that real servers proxy in addition to those in the document. */
const alsoProxied = ['HEAD', 'OPTIONS', 'PATCH'];

/** Returns the methods of an operation, and those that it has in addition, as each proxy has some. */
export const methodsOf = (operation: Operation): readonly string[] => {
  const { method, also = method === 'GET' && isProxy(operation) ? alsoProxied : [] } = operation;
  return [method, ...also];
};

const isProxy = ({ verb }: Operation): boolean =>
  verb === 'proxy' || verb === 'proxyPath' || verb === 'legacyProxy' || verb === 'legacyProxyPath';

function child(node: Node, literal: string): Node {
  const known = node.literals.get(literal) ?? newNode();
  node.literals.set(literal, known);
  return known;
}

function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest(`the path segment ${JSON.stringify(segment)} is not percent-encoded UTF-8`);
  }
}

const labels: Record<Parameter, string> = { name: 'Name', namespace: 'Namespace', path: 'Path' };

function bind(names: readonly Parameter[], values: readonly string[]): PathParameters {
  const path: { -readonly [name in Parameter]?: string } = {};
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as Parameter;
    const value = values[index] ?? '';
    const fault = name === 'path' ? undefined : faultOf(value);
    if (fault !== undefined) throw badRequest(`${labels[name]} parameter invalid: ${JSON.stringify(value)}: ${fault}`);
    path[name] = value;
  }
  return path;
}

/**
 * Returns the reason why no object can have this name, or undefined. A stored object with such a name could not be
 * read.
 */
function faultOf(value: string): string | undefined {
  if (value === '.' || value === '..') return `may not be '${value}'`;
  if (value.includes('/')) return "may not contain '/'";
  return value.includes('%') ? "may not contain '%'" : undefined;
}
