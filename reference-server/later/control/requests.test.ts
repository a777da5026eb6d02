// Failures, delays, cut watches and the journal, over the wire.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AnyShape } from '../../testing/anyShape.js';
import { ask } from '../../testing/standIn.js';
import { type ControlledServer, OpenWatch, startControlled } from '../testing/controlled.js';
import type { Failure } from './surface.js';

const configMaps = '/api/v1/namespaces/default/configmaps';
const named = (name: string, more: object = {}) => ({ metadata: { name }, ...more });

let started: ControlledServer;
let { controls, send } = {} as ControlledServer;
beforeAll(async () => {
  started = await startControlled({
    tokens: ['admin', 'other'].map((name) => ({ token: name, user: { name, groups: ['system:masters'] } })),
    requests: { limit: 50, bodies: true },
  });
  ({ controls, send } = started);
});
afterEach(() => controls.reset());
afterAll(() => started.server.close());

describe('fail', () => {
  it.each([
    [400, 'BadRequest'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'NotFound'],
    [410, 'Expired'],
    [422, 'Invalid'],
    [429, 'TooManyRequests'],
    [500, 'InternalError'],
    [503, 'ServiceUnavailable'],
    [504, 'Timeout'],
  ])('responds with %d and the reason %s', async (status, reason) => {
    controls.fail({ resource: 'configmaps', status });
    const { body, ...response } = await send('GET', `${configMaps}/one`);
    expect(response.status).toBe(status);
    expect(body).toMatchObject({ kind: 'Status', status: 'Failure', code: status, reason });
  });

  it('conflicts as servers do, for an update and for a create', async () => {
    controls.fail({ resource: 'configmaps', name: 'one', status: 409 });
    const created = await send('POST', configMaps, named('one'));
    expect(created.body).toMatchObject({ code: 409, reason: 'AlreadyExists' });
    expect((await send('POST', configMaps, named('two'))).status).toBe(200);
    const updated = await send('PUT', `${configMaps}/one`, named('one'));
    expect(updated.body.reason).toBe('Conflict');
    expect(updated.body.message).toMatch(/^Operation cannot be fulfilled on configmaps "one": the object has been/);
  });

  it('says when to retry', async () => {
    controls.fail({ status: 429, times: 1 });
    controls.fail({ status: 503, retryAfter: 7, message: 'not now', reason: 'Busy' });
    const first = await send('GET', configMaps);
    expect([first.status, first.headers['retry-after'], first.body.details.retryAfterSeconds]).toEqual([429, '1', 1]);
    const second = await send('GET', configMaps);
    expect(second.headers['retry-after']).toBe('7');
    expect(second.body).toMatchObject({ message: 'not now', reason: 'Busy', details: { retryAfterSeconds: 7 } });
  });

  it('counts, and ends after its times, by remove and by using', async () => {
    const rule = controls.fail({ resource: 'configmaps', verb: 'list', status: 500, times: 2 });
    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push((await send('GET', configMaps)).status);
    expect(statuses).toEqual([500, 500, 200]);
    expect(rule.calls).toBe(2);
    {
      using other = controls.fail({ status: 500 });
      expect((await send('GET', configMaps)).status).toBe(500);
      expect(other.calls).toBe(1);
    }
    expect((await send('GET', configMaps)).status).toBe(200);
    const removed = controls.fail({ status: 500 });
    removed.remove();
    expect((await send('GET', configMaps)).status).toBe(200);
  });

  it.each([
    [{ verb: 'create' }, false],
    [{ verb: 'get' }, true],
    [{ method: 'GET' }, true],
    [{ method: 'PUT' }, false],
    [{ resource: 'pods' }, true],
    [{ resource: 'pods/status' }, false],
    [{ resource: 'pods', subresource: '' }, true],
    [{ resource: 'pods', group: 'core' }, 'there is no group core: the core group is the empty text'],
    [{ resource: 'pods', group: '' }, true],
    [{ resource: 'deployments.apps' }, false],
    [{ namespace: 'default' }, true],
    [{ namespace: 'other' }, false],
    [{ name: 'one' }, true],
    [{ name: 'two' }, false],
    [{ user: 'admin' }, true],
    [{ user: 'other' }, false],
  ])('matches a get of the pod "one" by %j: %s', async (match, matches) => {
    if (typeof matches === 'string') {
      expect(() => controls.fail({ ...match, status: 500 })).toThrow(matches);
      return;
    }
    controls.fail({ ...match, status: 500 });
    expect((await send('GET', '/api/v1/namespaces/default/pods/one')).status).toBe(matches ? 500 : 404);
  });

  it('loses the response after the write', async () => {
    controls.fail({ verb: 'create', resource: 'configmaps', reset: true, afterWrite: true, times: 1 });
    await expect(send('POST', configMaps, named('lost'))).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect((await send('POST', configMaps, named('lost'))).body.reason).toBe('AlreadyExists');
    controls.fail({ verb: 'update', resource: 'configmaps', status: 504, afterWrite: true, times: 1 });
    expect((await send('PUT', `${configMaps}/lost`, named('lost', { data: { is: 'stored' } }))).status).toBe(504);
    expect((await controls.get('configmaps', 'lost'))?.data).toEqual({ is: 'stored' });
  });

  describe.each([
    ['a cut', { reset: true }],
    ['an error', { status: 504 }],
  ])('%s after the write', (_, how) => {
    const path = `${configMaps}/one`;
    const dry = { dryRun: ['All'] };
    const evict = { metadata: { name: 'p' } };
    const pods = '/api/v1/namespaces/default/pods';
    const review = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

    it.each<[string, string, string, unknown?]>([
      ['a create of a name that is taken', 'POST', configMaps, named('one')],
      ['a create that is invalid', 'POST', configMaps, named('No Name')],
      ['a create with a field of another type', 'POST', configMaps, named('two', { data: 5 })],
      ['a dry run of a create', 'POST', `${configMaps}?dryRun=All`, named('two')],
      ['a dry run of an update', 'PUT', `${path}?dryRun=All`, named('one', { data: { a: 'b' } })],
      ['a dry run of a delete, by its query', 'DELETE', `${path}?dryRun=All`],
      ['a dry run of a delete, by its options', 'DELETE', path, dry],
      ['a dry run of a delete of all', 'DELETE', `${configMaps}?dryRun=All`],
      ['a dry run of an eviction', 'POST', `${pods}/p/eviction`, { ...evict, deleteOptions: dry }],
      ['a delete of nothing', 'DELETE', `${configMaps}/none`],
      ['a delete of all, where there are none', 'DELETE', `${configMaps}?labelSelector=no=one`],
      ['an update without a change', 'PUT', path, named('one', { data: { a: '1' } })],
      ['an update of an absent object', 'PUT', `${configMaps}/none`, named('none')],
      ['an update with an old version', 'PUT', path, named('one', { metadata: { name: 'one', resourceVersion: '1' } })],
      ['a review', 'POST', review, { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } }],
      ['a read', 'GET', path],
      ['a list', 'GET', configMaps],
    ])('leaves alone %s', async (_what, method, url, body) => {
      const containers = [{ name: 'c', image: 'i' }];
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers } };
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data: { a: '1' } };
      await controls.load([pod, map]);
      const usual = await send(method, url, body);
      const rule = controls.fail({ ...how, afterWrite: true, times: 1 } as Failure);
      expect((await send(method, url, body)).status).toBe(usual.status);
      expect(rule.calls).toBe(0);
    });

    it.each<[string, string, string, unknown?, string?]>([
      ['a create', 'POST', configMaps, named('two')],
      ['an update', 'PUT', path, named('one', { data: { a: 'b' } })],
      ['a patch', 'PATCH', path, { data: { a: 'b' } }, 'application/merge-patch+json'],
      ['a delete', 'DELETE', path],
      ['a delete of all', 'DELETE', configMaps],
      ['an eviction', 'POST', `${pods}/p/eviction`, evict],
      [
        'an update of a status',
        'PATCH',
        `${pods}/p/status`,
        { status: { message: 'm' } },
        'application/merge-patch+json',
      ],
    ])('takes the answer of %s', async (_what, method, url, body, type) => {
      const containers = [{ name: 'c', image: 'i' }];
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers } };
      await controls.load([pod, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } }]);
      const rule = controls.fail({ ...how, afterWrite: true, times: 1 } as Failure);
      const sent = send(method, url, body, type);
      if ('reset' in how) await expect(sent).rejects.toThrow(/socket hang up|ECONNRESET/);
      else expect((await sent).status).toBe(504);
      expect(rule.calls).toBe(1);
    });
  });

  it('cuts the connection before anything is done', async () => {
    controls.fail({ verb: 'create', reset: true });
    await expect(send('POST', configMaps, named('never'))).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect(await controls.get('configmaps', 'never')).toBeUndefined();
  });

  it('expires a watch by an event, and other requests by their status', async () => {
    controls.fail({ resource: 'pods', status: 410 });
    const watch = await send('GET', '/api/v1/pods?watch=true');
    expect([watch.status, watch.body.type, watch.body.object.code]).toEqual([200, 'ERROR', 410]);
    expect((await send('GET', '/api/v1/pods')).status).toBe(410);
  });

  it('reaches discovery, whose paths are not resources', async () => {
    controls.fail({ verb: 'get', status: 503 });
    expect((await send('GET', '/apis')).status).toBe(503);
  });
});

describe('delay', () => {
  it('delays what matches, as often as asked, and adds up', async () => {
    const rules = [150, 151].map((milliseconds) => controls.delay({ verb: 'list', milliseconds, times: 1 }));
    const began = performance.now();
    expect((await send('GET', configMaps)).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThanOrEqual(300);
    expect(rules.map(({ calls }) => calls)).toEqual([1, 1]);
    await send('GET', configMaps);
    expect(rules.map(({ calls }) => calls)).toEqual([1, 1]);
  });

  it('does not delay the end of the server', async () => {
    const own = await startControlled();
    own.controls.delay({ milliseconds: 600_000 });
    const pending = own.send('GET', configMaps).catch(() => 'ended');
    await expect.poll(() => own.controls.requests.list().length + 1).toBe(1);
    await own.server.close();
    await pending;
  });

  it.each([-1, Number.NaN, 2 ** 31, '5' as never])('refuses %s milliseconds', (milliseconds) => {
    expect(() => controls.delay({ milliseconds })).toThrow('delay: milliseconds: give a number from 0 to 2147483647');
  });
});

describe('cutWatches', () => {
  const watch = async (path: string, more = 'watch=true') => {
    const before = controls.requests.list({ verb: 'watch' }).length;
    const open = new OpenWatch(started, `${path}?${more}`);
    await controls.requests.waitFor({ verb: 'watch' }, { times: before + 1 });
    return open;
  };

  it('ends the watches that match as after their timeout', async () => {
    const [pods, maps] = [await watch('/api/v1/pods'), await watch(configMaps)];
    expect(controls.cutWatches({ resource: 'services' })).toBe(0);
    expect(controls.cutWatches({ resource: 'pods' })).toBe(1);
    expect(await pods.ended).toBeUndefined();
    expect(controls.cutWatches({ namespace: 'default' })).toBe(1);
    expect(await maps.ended).toBeUndefined();
    expect(controls.cutWatches()).toBe(0);
  });

  it('cuts their connections', async () => {
    const pods = await watch('/api/v1/pods');
    expect(controls.cutWatches({ reset: true })).toBe(1);
    expect(await pods.ended).toBeInstanceOf(Error);
  });
});

describe('requests', () => {
  it('has what a request was, and no secret', async () => {
    await send('POST', configMaps, named('one'));
    await send('PATCH', `${configMaps}/one?dryRun=All`, { data: { a: 'b' } }, 'application/merge-patch+json');
    await send('POST', '/api/v1/namespaces/default/secrets', { ...named('s'), stringData: { a: 'hidden' } });
    await ask(started.server, '/api/v1/pods', { headers: { authorization: 'Bearer wrong' } });
    const [created, patched, secret, refused] = controls.requests.list();
    expect(created).toMatchObject({ verb: 'create', name: 'one', status: 200, body: { metadata: { name: 'one' } } });
    expect(patched).toEqual({
      time: expect.any(Date),
      method: 'PATCH',
      path: `${configMaps}/one`,
      query: 'dryRun=All',
      verb: 'patch',
      group: '',
      resource: 'configmaps',
      subresource: '',
      namespace: 'default',
      name: 'one',
      user: 'admin',
      contentType: 'application/merge-patch+json',
      status: 200,
      milliseconds: expect.any(Number),
      body: { data: { a: 'b' } },
    });
    expect(secret).toMatchObject({ resource: 'secrets', name: 's' });
    expect(secret).not.toHaveProperty('body');
    expect(refused).toMatchObject({ verb: 'list', status: 401 });
    expect(refused).not.toHaveProperty('user');
    expect(JSON.stringify(controls.requests.list())).not.toMatch(/Bearer|hidden|wrong/);
  });

  it('keeps the newest, in their order', async () => {
    for (let call = 0; call < 55; call += 1) await send('GET', `${configMaps}/m${call}`);
    const names = controls.requests.list().map(({ name }) => name);
    expect([names.length, names[0], names.at(-1)]).toEqual([50, 'm5', 'm54']);
    controls.requests.clear();
    expect(controls.requests.list()).toEqual([]);
  });

  it('leaves out those of components, which displace no others', async () => {
    const componentTokens = [{ token: 'own', user: { name: 'system:node:one', groups: ['system:nodes'] } }];
    await using started = await startControlled({ componentTokens, requests: { limit: 2 } });
    const { server, controls } = started;
    const asNode = (name: string) => ask({ ...server, token: 'own' }, `${configMaps}/${name}`);
    await started.send('GET', `${configMaps}/mine`);
    for (const name of ['a', 'b', 'c']) await asNode(name);
    const namesOf = (user?: string) => controls.requests.list(user ? { user } : {}).map(({ name }) => name);
    expect([namesOf(), namesOf('admin'), namesOf('system:node:one')]).toEqual([['mine'], ['mine'], ['b', 'c']]);
    const failures = [controls.fail({ status: 503 }), controls.fail({ user: 'system:node:one', status: 500 })];
    expect((await asNode('d')).status).toBe(500);
    expect((await started.send('GET', configMaps)).status).toBe(503);
    expect(failures.map(({ calls }) => calls)).toEqual([1, 1]);
  });

  it('has a request whose connection was cut', async () => {
    controls.fail({ reset: true });
    await expect(send('GET', configMaps)).rejects.toThrow();
    const seen = await controls.requests.waitFor({ resource: 'configmaps' });
    expect(seen).not.toHaveProperty('status');
  });

  it('waits for a request that came, and for one that will come', async () => {
    await send('GET', configMaps);
    expect(await controls.requests.waitFor({ verb: 'list' })).toMatchObject({ verb: 'list' });
    const third = controls.requests.waitFor({ verb: 'list', status: 200 }, { times: 3 });
    await send('GET', configMaps);
    await send('GET', `${configMaps}?limit=1`);
    expect((await third).query).toBe('limit=1');
  });

  it('says what came instead', async () => {
    await send('GET', configMaps);
    await expect(controls.requests.waitFor({ verb: 'delete' }, { timeout: 20 })).rejects.toThrow(
      `0 of 1 requests like {"verb":"delete"} came within 20 ms; the last of 1 were list ${configMaps} (200)`,
    );
    await expect(controls.requests.waitFor({ verb: 'remove' })).rejects.toThrow('there is no verb remove');
  });

  it('returns copies', async () => {
    await send('POST', configMaps, named('one'));
    const [listed] = controls.requests.list() as [AnyShape];
    Object.assign(listed, { verb: 'zzz' });
    listed.time.setTime(0);
    listed.body.metadata.name = 'zzz';
    const waited: AnyShape = await controls.requests.waitFor({ verb: 'create' });
    Object.assign(waited, { verb: 'zzz' });
    const [again] = controls.requests.list();
    expect(again).toMatchObject({ verb: 'create', name: 'one', body: { metadata: { name: 'one' } } });
    expect(again?.time.getTime()).toBeGreaterThan(0);
  });

  it('ends its waits with the server', async () => {
    const own = await startControlled();
    const wait = own.controls.requests.waitFor({ verb: 'delete' });
    const ended = expect(wait).rejects.toThrow('the server was closed before such a request came');
    await own.server.close();
    await ended;
  });

  it('records nothing unless asked to', async () => {
    await using own = await startControlled({ requests: false });
    expect(() => own.controls.requests.list()).toThrow('requests: this server records no requests');
  });
});
