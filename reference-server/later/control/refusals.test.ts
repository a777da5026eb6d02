// What authors of tests get wrong: each mistake is refused at once, by a sentence that says what to write.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OptionError } from '../../optionValues.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { type ControlledServer, startControlled } from '../testing/controlled.js';
import { definition, version } from '../testing/customResources.js';

let server: ControlledServer;
let { controls } = {} as { controls: AnyShape };
beforeAll(async () => {
  server = await startControlled();
  controls = server.controls;
});
afterEach(() => controls.reset());
afterAll(() => server.server.close());

/** Returns the error of a call, whether it throws or rejects. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}

const down = { status: 503 };

describe('a match', () => {
  const mistakes: readonly (readonly [match: unknown, message: string])[] = [
    [{ verb: 'wach' }, 'verb: there is no verb wach; did you mean watch?'],
    [{ verb: 5 }, 'verb: give a text'],
    [{ method: 'put' }, 'method: there is no method put; '],
    [{ rsource: 'pods' }, 'unknown field rsource; did you mean resource?'],
    [{ resource: '' }, 'resource: it is empty: leave it out'],
    [{ resource: 'pds' }, 'there is no resource pds; did you mean pods?'],
    [{ resource: 'pod' }, 'there is no resource pod; the plural is pods'],
    [{ resource: 'Pod' }, 'there is no resource Pod; the plural is pods'],
    [{ resource: 'Pods' }, 'there is no resource Pods; the plural is pods'],
    [{ resource: 'cm' }, 'there is no resource cm; the plural is configmaps'],
    [{ resource: 'deploy.apps' }, 'there is no resource deploy in apps; the plural is deployments'],
    [{ resource: 'deployment.apps' }, 'there is no resource deployment in apps; the plural is deployments'],
    [{ resource: 'deployments.v1.apps' }, 'a name has no version: write deployments.apps'],
    [{ resource: 'pods', group: 'apps' }, 'there is no resource pods in apps; it is in the core group'],
    [{ resource: 'deployments', group: '' }, 'there is no resource deployments in the core group; it is in apps'],
    [{ resource: 'deployments.apps', group: 'batch' }, 'deployments.apps and the group batch contradict each other'],
    [{ resource: 'pods', group: 'core' }, 'there is no group core: the core group is the empty text'],
    [{ group: 'core' }, 'there is no group core: the core group is the empty text'],
    [{ group: 'aps' }, 'there is no group aps; did you mean apps?'],
    [
      { resource: 'websites' },
      'there is no resource websites, and no CustomResourceDefinition that defines it: load the definition first',
    ],
    [
      { resource: 'websites.example.com' },
      'there is no resource websites.example.com: there is no group example.com, and no CustomResourceDefinition of it: load',
    ],
    [
      { resource: 'websites', group: 'example.com' },
      'there is no resource websites.example.com: there is no group example.com, and no CustomResourceDefinition of it: load',
    ],
    [{ resource: 'websites.v1.example.com' }, 'a name has no version: write websites.example.com'],
    [{ resource: 'pods/stat' }, 'pods has no subresource stat; did you mean status? There are '],
    [{ resource: 'pods/status/x' }, 'pods has no subresource status/x; did you mean status?'],
    [{ resource: 'configmaps/status' }, 'configmaps has no subresource status'],
    [{ resource: 'pods', subresource: 'foo' }, 'pods has no subresource foo; there are '],
    [{ subresource: 'foo' }, 'there is no subresource foo; '],
    [{ resource: 'pods/status', subresource: 'log' }, 'pods/status and the subresource "log" contradict each other'],
    [{ verb: 'create', method: 'GET' }, 'method: a create is never GET; there are POST'],
    [{ verb: 'get', method: 'POST' }, 'method: a get is never POST; there are GET, HEAD'],
    [{ resource: 'configmaps', method: 'OPTIONS' }, 'method: a request of configmaps is never OPTIONS; there are '],
    [{ resource: 'pods/status', verb: 'create' }, 'verb: a request of pods/status is never a create; there are '],
    [
      { resource: 'componentstatuses', verb: 'delete' },
      'verb: a request of componentstatuses is never a delete; there are list, watch, get',
    ],
    [{ resource: 'nodes', namespace: 'x' }, 'namespace: a request of nodes has none: leave it out'],
    [{ resource: 'namespaces', namespace: 'x', verb: 'create' }, 'namespace: a create of namespaces has none: leave'],
    [{ resource: 'pods', namespace: '', verb: 'create' }, 'namespace: a create of pods always has one: leave it out'],
    [{ name: '' }, 'name: it is empty: leave it out'],
    [{ verb: 'deletecollection', name: 'x' }, 'name: a deletecollection has none: leave it out'],
    [{ name: 7 }, 'name: give a text'],
    [{ user: '' }, 'user: it is empty: leave it out'],
    [null, 'give an object'],
    [[], 'give an object'],
    ['pods', 'give an object'],
    [5, 'give an object'],
  ];

  const withMore = (match: unknown, more: object) =>
    typeof match === 'object' && match !== null && !Array.isArray(match) ? { ...match, ...more } : match;

  it.each(mistakes)('%j is refused everywhere: %s', async (match, message) => {
    const calls: readonly (readonly [what: string, call: () => unknown])[] = [
      ['fail', () => controls.fail(withMore(match, down))],
      ['delay', () => controls.delay(withMore(match, { milliseconds: 1 }))],
      ['requests.list', () => controls.requests.list(match)],
      ['requests.waitFor', () => controls.requests.waitFor(match)],
    ];
    for (const [what, call] of calls) {
      const error = await errorOf(call);
      expect(error).toBeInstanceOf(OptionError);
      expect((error as Error).message).toContain(`${what}: ${message}`);
      expect((error as Error).message).not.toContain('\n');
    }
  });

  it.each<[AnyShape]>([
    [{}],
    [{ verb: 'get', method: 'HEAD' }],
    [{ verb: 'head' }],
    [{ method: 'OPTIONS' }],
    [{ resource: 'pods', subresource: '' }],
    [{ resource: 'pods/' }],
    [{ resource: 'pods/exec', verb: 'create' }],
    [{ resource: 'pods/proxy', method: 'PATCH' }],
    [{ resource: 'pods', namespace: '' }],
    [{ resource: 'nodes', namespace: '' }],
    [{ resource: 'namespaces', namespace: 'x', name: 'x' }],
    [{ resource: 'namespaces/finalize', verb: 'update' }],
    [{ resource: 'pods', verb: 'list', name: 'x' }],
    [{ resource: 'deployments.apps', group: 'apps' }],
    [{ subresource: 'scale', verb: 'patch' }],
    [{ namespace: 'default', verb: 'watch' }],
  ])('%j is taken everywhere', (match) => {
    controls.fail({ ...match, ...down }).remove();
    controls.delay({ ...match, milliseconds: 1 }).remove();
    expect(controls.requests.list(match)).toEqual([]);
  });

  it('knows the names of custom resources once they are defined', async () => {
    await controls.load(
      definition('websites', 'Website', [version('v1', {}, { subresources: { status: {} } })], {
        names: { plural: 'websites', kind: 'Website', shortNames: ['ws'] },
      }),
    );
    controls.fail({ resource: 'websites', ...down });
    controls.fail({ resource: 'websites.example.com/status', verb: 'patch', ...down });
    expect(() => controls.fail({ resource: 'ws', ...down })).toThrow('the plural is websites');
    expect(() => controls.fail({ resource: 'websites/scale', ...down })).toThrow(
      'websites has no subresource scale; there are status',
    );
  });
});

it.each<[call: string, args: unknown[], message: string]>([
  ['fail', [{ resource: 'pods', stauts: 500 }], 'fail: unknown field stauts; did you mean status?'],
  ['fail', [{ resource: 'pods' }], 'fail: give a status, such as 500, or reset: true'],
  ['fail', [{ resource: 'pods', reset: false }], 'fail: give a status, such as 500, or reset: true'],
  ['fail', [{ status: 500, reset: true }], 'fail: status and reset contradict each other'],
  ['fail', [{ reset: true, message: 'm' }], 'fail: message and reset contradict each other: there is no response'],
  ['fail', [{ reset: 'x' }], 'fail: reset: give true or false'],
  ['fail', [{ status: 302 }], 'fail: status: give a whole number from 400 to 599'],
  ['fail', [{ status: '500' }], 'fail: status: give a whole number from 400 to 599'],
  ['fail', [{ status: 500, times: 0 }], 'fail: times: give a whole number from 1'],
  ['fail', [{ status: 500, times: '1' }], 'fail: times: give a whole number from 1'],
  ['fail', [{ status: 429, retryAfter: -1 }], 'fail: retryAfter: give a whole number of seconds from 0'],
  ['fail', [{ status: 500, afterWrite: 'yes' }], 'fail: afterWrite: give true or false'],
  ['fail', [{ status: 500, verb: 'get', afterWrite: true }], 'fail: afterWrite: a get writes nothing: leave it out'],
  [
    'fail',
    [{ status: 500, verb: 'watch', afterWrite: true }],
    'fail: afterWrite: a watch writes nothing: leave it out',
  ],
  ['fail', [{ status: 500, method: 'GET', afterWrite: true }], 'fail: afterWrite: a GET writes nothing: leave it out'],
  ['fail', [{ status: 500, message: 5 }], 'fail: message: give a text'],
  ['fail', [{ status: 500, reason: 7 }], 'fail: reason: give a text'],
  ['delay', [{}], 'delay: give milliseconds'],
  ['delay', [{ milliseconds: -1 }], 'delay: milliseconds: give a number from 0 to 2147483647'],
  ['delay', [{ milliseconds: 1, times: 1.5 }], 'delay: times: give a whole number from 1'],
  ['cutWatches', [{ reset: 'x' }], 'cutWatches: reset: give true or false'],
  [
    'cutWatches',
    [{ resource: 'pods/status' }],
    'cutWatches: verb: a request of pods/status is never a watch; there are ',
  ],
  ['cutWatches', [{ resource: 'pds' }], 'cutWatches: there is no resource pds; did you mean pods?'],
  ['cutWatches', [{ resource: 'nodes', namespace: 'x' }], 'cutWatches: namespace: a watch of nodes has none: leave it'],
  ['cutWatches', [{ namespace: '' }], 'cutWatches: namespace: it is empty: leave it out'],
  ['cutWatches', [{ verb: 'list' }], 'cutWatches: unknown field verb; '],
  ['cutWatches', [null], 'cutWatches: give an object'],
  ['get', [], 'get: give a resource, such as pods'],
  ['get', [5], 'get: give a resource, such as pods'],
  ['get', ['configmaps'], 'get: give the name of one of the configmaps; objects returns all'],
  ['get', ['configmaps', ''], 'get: name: it is empty: leave it out'],
  ['get', ['configmaps', 5], 'get: name: give a text'],
  ['get', ['configmaps', 'a', 5], 'get: namespace: give a text'],
  ['get', ['nodes', 'a', 'default'], 'get: namespace: nodes are in no namespace: leave it out'],
  ['get', ['pods/status', 'a'], 'get: pods/status is a subresource: give the resource, pods, whose objects have all'],
  ['get', ['cm', 'a'], 'get: there is no resource cm; the plural is configmaps'],
  ['get', ['websites', 'a'], 'get: there is no resource websites, and no CustomResourceDefinition that defines it'],
  ['objects', [], 'objects: give a resource, such as pods'],
  ['objects', ['pods/status'], 'objects: pods/status is a subresource'],
  ['objects', ['pods', 5], 'objects: namespace: give a text'],
  ['objects', ['nodes', 'default'], 'objects: namespace: nodes are in no namespace: leave it out'],
  ['requests.list', [{ status: '403' }], 'requests.list: status: give a whole number from 100 to 599'],
  ['requests.list', [{ status: 403, verbs: 'get' }], 'requests.list: unknown field verbs; did you mean verb?'],
  ['requests.waitFor', [], 'requests.waitFor: give an object'],
  ['requests.waitFor', [{}, { timout: 50 }], 'requests.waitFor: unknown field timout; did you mean timeout?'],
  ['requests.waitFor', [{}, 50], 'requests.waitFor: give an object'],
  ['requests.waitFor', [{}, null], 'requests.waitFor: give an object'],
  ['requests.waitFor', [{}, { timeout: -1 }], 'requests.waitFor: timeout: give a number from 0 to 2147483647'],
  ['requests.waitFor', [{}, { timeout: '5' }], 'requests.waitFor: timeout: give a number from 0 to 2147483647'],
  ['requests.waitFor', [{}, { timeout: Number.NaN }], 'requests.waitFor: timeout: give a number from 0 to 2147483647'],
  ['requests.waitFor', [{}, { times: 0 }], 'requests.waitFor: times: give a whole number from 1'],
])('%s refuses %j: %s', async (call, args, message) => {
  const [first = '', second] = call.split('.');
  const target = second === undefined ? controls : controls[first];
  const error = await errorOf(() => target[second ?? first](...args));
  expect(error).toBeInstanceOf(OptionError);
  expect((error as Error).message).toContain(message);
});
