// What authors of tests do with custom resources: they load, restore, fail, record and count them like any other.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ask } from '../../testing/standIn.js';
import { type ControlledServer, startControlled } from '../testing/controlled.js';
import { definition, version } from '../testing/customResources.js';
import type { TestObject } from './surface.js';

const boats = '/apis/example.com/v1/namespaces/default/boats';
const sails = { type: 'integer', default: 2, minimum: 1 };
const spec = { type: 'object', default: {}, properties: { sails } };
const definitions = [definition('boats', 'Boat', [version('v1', { spec })])];
const boat = (name: string, given: object = {}): TestObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Boat',
  metadata: { name },
  spec: given,
});

let started: ControlledServer;
let { controls, send } = {} as ControlledServer;
beforeAll(async () => {
  started = await startControlled();
  ({ controls, send } = started);
});
afterEach(() => controls.reset());
afterAll(() => started.server.close());

it('are loaded with their definitions, in any order, by the schema', async () => {
  const [loaded] = await controls.load([boat('tub'), ...definitions]);
  expect(loaded?.spec).toEqual({ sails: 2 });
  expect((await send('GET', `${boats}/tub`)).body).toEqual(loaded);
  expect((await controls.objects('boats')).map(({ metadata }) => metadata.name)).toEqual(['tub']);
  await expect(controls.load(boat('raft', { sails: 0 }))).rejects.toThrow(
    'spec.sails: Invalid value: 0: spec.sails in body should be greater than or equal to 1',
  );
});

it('are not defined if one of them is invalid', async () => {
  await expect(controls.load([...definitions, boat('raft', { sails: 0 })])).rejects.toThrow('spec.sails');
  expect(await controls.objects('customresourcedefinitions')).toEqual([]);
  await expect.poll(async () => (await send('GET', boats)).status).toBe(404);
  // Those that are there stay as they are.
  await controls.load([...definitions, boat('tub', { sails: 7 })]);
  const [before] = await controls.objects('customresourcedefinitions');
  const more = { sails, oars: { type: 'integer' } };
  const changed = [definition('boats', 'Boat', [version('v1', { spec: { ...spec, properties: more } })])];
  await expect(controls.load([...changed, boat('raft', { sails: 0 })])).rejects.toThrow('spec.sails');
  expect((await controls.get('customresourcedefinitions', 'boats.example.com'))?.spec).toEqual(before?.spec);
  expect((await send('GET', `${boats}/tub`)).body.spec).toEqual({ sails: 7 });
});

it('are gone after a reset, with their definition, and come back with a snapshot', async () => {
  await controls.load([...definitions, boat('tub', { sails: 7 })]);
  const snapshot = await controls.snapshot();
  await controls.reset();
  await expect.poll(async () => (await send('GET', boats)).status).toBe(404);
  await controls.restore(snapshot);
  await expect.poll(async () => (await send('GET', `${boats}/tub`)).body.spec).toEqual({ sails: 7 });
});

it('fail and are recorded by their names', async () => {
  expect(() => controls.fail({ resource: 'boats', status: 503 })).toThrow('resource boats');
  await controls.load(definitions);
  controls.fail({ verb: 'create', resource: 'boats.example.com', status: 503, times: 1 });
  expect((await send('POST', boats, boat('tub'))).status).toBe(503);
  expect((await send('POST', boats, boat('tub'))).status).toBe(201);
  const recorded = controls.requests.list({ verb: 'create', resource: 'boats' });
  expect(recorded.map(({ group, status }) => [group, status])).toEqual([
    ['example.com', 503],
    ['example.com', 201],
  ]);
});

it('are counted once, however often they are defined', async () => {
  const counts = async () => {
    const { text } = await ask(started.server, '/metrics');
    return text.split('\n').filter((line) => /^apiserver_request_total\{.*resource="boats".*verb="LIST"/.test(line));
  };
  for (let time = 1; time <= 2; time += 1) {
    await controls.load(definitions);
    await send('GET', boats);
    await controls.reset();
    await expect.poll(async () => (await send('GET', boats)).status).toBe(404);
  }
  await expect.poll(counts).toEqual([expect.stringMatching(/^apiserver_request_total\{code="200".* \d+$/)]);
});
