import { describe, expect, it } from 'vitest';
import { operations } from '../../matrix/api/index.js';
import { Resolver, splitTarget } from './resolver.js';

const resolver = new Resolver(operations);
const filled = (template: string) => template.replaceAll(/\{(\w+)\}/g, (_, name: string) => `some-${name}`);

describe('the table', () => {
  it('resolves every operation, with the values of its path', () => {
    for (const operation of operations) {
      const route = resolver.resolve(operation.method, filled(operation.path));
      const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, `some-${name}`]);
      expect(route?.operation.id).toBe(operation.id);
      expect(route?.path).toEqual(Object.fromEntries(names));
    }
  });

  it('answers another method of each path with 405', () => {
    for (const { path } of operations) {
      expect(() => resolver.resolve('TRACE', filled(path))).toThrow(expect.objectContaining({ code: 405 }));
    }
  });
});

describe('a path', () => {
  const pods = '/api/v1/namespaces/ns/pods';
  it.each([
    ['/api/v1/namespaces/', 'GET /api/v1/namespaces', {}],
    [`${pods}/`, 'GET /api/v1/namespaces/{namespace}/pods', { namespace: 'ns' }],
    ['/api/v1/%6eamespaces', 'GET /api/v1/namespaces', {}],
    [`${pods}/a%20b`, 'GET /api/v1/namespaces/{namespace}/pods/{name}', { namespace: 'ns', name: 'a b' }],
    [`${pods}/%C3%A9`, 'GET /api/v1/namespaces/{namespace}/pods/{name}', { namespace: 'ns', name: 'é' }],
    ['/api/v1/namespaces/status', 'GET /api/v1/namespaces/{name}', { name: 'status' }],
    [`${pods}/watch`, 'GET /api/v1/namespaces/{namespace}/pods/{name}', { namespace: 'ns', name: 'watch' }],
    [`${pods}/p/proxy`, 'GET /api/v1/namespaces/{namespace}/pods/{name}/proxy', { namespace: 'ns', name: 'p' }],
    [
      `${pods}/p/proxy/`,
      'GET /api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}',
      { namespace: 'ns', name: 'p', path: '' },
    ],
    [
      `${pods}/p/proxy/a%2Fb//c/`,
      'GET /api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}',
      { namespace: 'ns', name: 'p', path: 'a%2Fb//c/' },
    ],
    ['/api/v1/namespaces//pods', 'GET /api/v1/pods', {}],
    ['/apis/batch/v1/namespaces//jobs', 'GET /apis/batch/v1/jobs', {}],
    ['/api/v1/watch/namespaces//pods', 'GET /api/v1/watch/pods', {}],
    [
      `${pods}/p/proxy/namespaces//a`,
      'GET /api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}',
      { namespace: 'ns', name: 'p', path: 'namespaces//a' },
    ],
    ['/api/v1/proxy/nodes/n/x%zz', 'GET /api/v1/proxy/nodes/{name}/{path}', { name: 'n', path: 'x%zz' }],
  ])('%s', (path, id, values) => {
    const route = resolver.resolve('GET', path);
    expect([route?.operation.id, route?.path]).toEqual([id, values]);
  });

  it.each([
    '/',
    '/api/v1/nosuch',
    '/api//v1/namespaces',
    '/api/v1/namespaces//',
    '/api/v1/namespaces//nosuch',
    '/api/v1/namespaces//nodes',
    '/apis/batch/v9/jobs',
    `${pods}/p/nosuch`,
    '*',
    '',
    '/api/v1/namespaces/ns'.toUpperCase(),
    '/api/v1/watch',
    '/__proto__',
    '/constructor/v1',
  ])('that is not served: %s', (path) => expect(resolver.resolve('GET', path)).toBeUndefined());

  it.each([
    [`${pods}/a%zz`, 'the path segment "a%zz" is not percent-encoded UTF-8'],
    [`${pods}/%ff`, 'the path segment "%ff" is not percent-encoded UTF-8'],
    [`${pods}/%2e%2e`, `Name parameter invalid: "..": may not be '..'`],
    [`${pods}/.`, `Name parameter invalid: ".": may not be '.'`],
    [`${pods}/a%2Fb`, `Name parameter invalid: "a/b": may not contain '/'`],
    ['/api/v1/namespaces/a%25b/pods', `Namespace parameter invalid: "a%b": may not contain '%'`],
  ])('that does not exist: %s', (path, message) => {
    expect(() => resolver.resolve('GET', path)).toThrow(expect.objectContaining({ code: 400, message }));
  });
});

it.each([
  ['POST', '/api/v1/namespaces//pods'],
  ['DELETE', '/api/v1/namespaces//pods'],
  ['GET', '/api/v1/namespaces//pods/p'],
  ['PATCH', '/api/v1/namespaces//pods/p'],
  ['GET', '/api/v1/namespaces//pods/p/log'],
])('%s %s needs a namespace', (method, path) => {
  expect(() => resolver.resolve(method, path)).toThrow(
    expect.objectContaining({ code: 400, message: 'Namespace parameter required.' }),
  );
});

it('a resolver accepts a changed table', () => {
  const [first, ...others] = operations.filter(({ verb }) => verb !== 'discover');
  const changing = new Resolver(others);
  if (first === undefined) throw new Error('the table is empty');
  const find = () => changing.resolve(first.method, filled(first.path))?.operation;
  expect(find()).toBeUndefined();
  changing.add([first]);
  expect(find()).toBe(first);
  changing.remove([first]);
  expect(find()).toBeUndefined();
  for (const { method, path } of others) expect(changing.resolve(method, filled(path))).toBeDefined();
  changing.remove(others);
  for (const { method, path } of others) expect(changing.resolve(method, filled(path))).toBeUndefined();
});

describe('a request target', () => {
  it.each([
    ['/a/b?c=d?e', '/a/b', 'c=d?e'],
    ['/a', '/a', ''],
    ['/a?', '/a', ''],
    ['https://host:1/a?b', '/a', 'b'],
    ['HTTP://host', '/', ''],
    ['https://host?x=1', '/', 'x=1'],
    ['?x', '/', 'x'],
    ['*', '*', ''],
  ])('%s', (url, pathname, search) => expect(splitTarget(url)).toEqual({ pathname, search }));
});
