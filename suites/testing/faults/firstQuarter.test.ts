// Every requirement can fail: chapters run against servers with one fault each. This file runs a quarter of the faults.
import { describe, expect, it } from 'vitest';
import { failing, testFaults, useGoodServer } from '../../../cli/testing/faultTests.js';
import type { Json } from '../../client/json.js';
import { faults } from './index.js';
import { composed, type Fault, fault, faultsOf } from './wire/fault.js';
import { change, type Edit, inEach, set, valueAt, where } from './wire/objects.js';
import { shown } from './wire/replies.js';
import { failure, sent } from './wire/requests.js';

useGoodServer();

const sidecar = { name: 'sidecar', image: 'registry.example/sidecar:1' };
const withSidecar = (all: Json | undefined) => (Array.isArray(all) ? [sidecar, ...all] : all);
const isNone = (resources: Json | undefined): boolean => Object.keys(resources ?? {}).length === 0;
const own = { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '64Mi' } };

describe('a server that', () => {
  it('is good passes', async () => {
    expect(await failing({ name: '', grep: 'configmaps', fails: [] })).toEqual([]);
  });

  it.each(['certificates.', 'server, ', ' › staticToken, '])('is good passes by its users, %s', async (grep) => {
    const chapters = ['authentication', 'certificates'] as const;
    expect(await failing({ name: '', grep, chapters, tls: true, fails: [] })).toEqual([]);
  });

  it('finds its issuer late is good', async () => {
    let refused = 0;
    const late: Fault = {
      name: '',
      grep: 'configmaps, openidConnect',
      chapters: ['authentication'],
      request: (passing) => {
        const isIdToken = /^Bearer [\w-]+\.[\w-]+\.[\w-]+$/.test(passing.headers.authorization ?? '');
        if (!isIdToken || refused >= 5) return passing;
        refused += 1;
        return failure(401, 'Unauthorized');
      },
      fails: [],
    };
    expect(await failing(late)).toEqual([]);
    expect(refused).toBe(5);
  });

  it('counts its first quota from an old cache is good', async () => {
    let first: unknown;
    const uncounted: Edit = (object) => {
      const name = valueAt(object, 'metadata.name');
      if (valueAt(object, 'status.used') === undefined) return object;
      first ??= name;
      return name === first ? set('status.used.persistentvolumeclaims', '0')(object) : object;
    };
    const [late] = faultsOf('admission', [fault('', 'quota-status', [shown('GET ResourceQuota', uncounted)])]);
    expect(await failing({ ...(late as Fault), fails: [] })).toEqual([]);
    expect(first).toBeDefined();
  });

  it.each([
    ['adds a container before those of a pod', change('spec.containers', withSidecar)],
    ['pulls every image each time', set('spec.containers.*.imagePullPolicy', 'Always')],
    ['gives resources to each container', inEach('spec.containers', where('resources', isNone, set('resources', own)))],
  ])('%s is good', async (_, edit) => {
    const changing = { name: '', ...composed([sent('POST Pod', edit)]), fails: [] };
    expect(await failing({ ...changing, grep: 'validation.defaults › *pods, ' })).toEqual([]);
    expect(await failing({ ...changing, grep: 'validation.invalid* › *pods, an unknown' })).toEqual([]);
    expect(await failing({ ...changing, grep: 'admission.limit-range' })).toEqual([]);
    expect(await failing({ ...changing, grep: 'admission.quota-unsaid' })).toEqual([]);
  });

  it.each([
    'GET /api/v1/namespaces/{namespace}/pods/{name}/exec, v4.base64',
    'POST /api/v1/namespaces/{namespace}/pods/{name}/exec, SPDY/3.1',
    'GET /api/v1/namespaces/{namespace}/pods/{name}/portforward, v4.channel',
  ])('is good passes by the frames of its connections, %s', async (grep) => {
    const neutral: Fault = { name: '', grep, chapters: ['connect'], frame: () => (frame) => [frame], fails: [] };
    expect(await failing(neutral)).toEqual([]);
  });

  testFaults(faults.slice(0, Math.ceil(faults.length / 4)));
});
