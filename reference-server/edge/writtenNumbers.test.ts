// Tests integers that are written as 3.0 or 1e3: typed clients, and so real servers, do not read them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../server.js';
import { ask } from '../testing/standIn.js';

const at = '/api/v1/namespaces/default';
const json = 'application/json';
const template = '{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i:1.0"}]}}';
const controller = (name: string, replicas: string) =>
  `{"metadata":{"name":"${name}"},"spec":{"replicas":${replicas},"selector":{"a":"b"},"template":${template}}}`;
const pod = (name: string, grace: string, cpu: string, port: string) =>
  `{"metadata":{"name":"${name}"},"spec":{"terminationGracePeriodSeconds":${grace},"containers":[
  {"name":"c","image":"i","resources":{"limits":{"cpu":${cpu}}},"livenessProbe":{"tcpSocket":{"port":${port}}}}]}}`;

let server: RunningServer;
const send = async (method: string, path: string, body: string, type = json): Promise<string> => {
  const { status, text } = await ask(server, `${at}/${path}`, { method, body, headers: { 'content-type': type } });
  return `${status} ${JSON.parse(text).message ?? ''}`;
};

beforeAll(async () => {
  server = await startServer();
  expect(await send('POST', 'replicationcontrollers', controller('rc', '1'))).toBe('200 ');
});
afterAll(() => server.close());

describe('an integer', () => {
  it.each(['3.0', '1e1', '1E0', '0.0', '-0.0', '30e-1', '1.5'])('is not written as %s in a create', async (written) => {
    const refusal = `400 ReplicationController in version "v1" cannot be handled as a ReplicationController: spec.replicas: expected int32, got ${written}`;
    expect(await send('POST', 'replicationcontrollers', controller('x', written))).toBe(refusal);
    expect(await send('PUT', 'replicationcontrollers/rc', controller('rc', written))).toBe(refusal);
  });

  it.each([
    ['of 64 bits', '30.0', '"1"', '80', 'spec.terminationGracePeriodSeconds: expected int64, got 30.0'],
    [
      'or text',
      '30',
      '"1"',
      '8e1',
      'spec.containers[0].livenessProbe.tcpSocket.port: expected int32 or string, got 8e1',
    ],
  ])('%s has the same form', async (_, grace, cpu, port, said) => {
    expect(await send('POST', 'pods', pod('x', grace, cpu, port))).toContain(`400 Pod in version "v1"`);
    expect(await send('POST', 'pods', pod('x', grace, cpu, port))).toContain(said);
  });

  it.each(['-0', '0', '10'])('is written as %s', async (written) => {
    expect(await send('POST', 'replicationcontrollers?dryRun=All', controller('x', written))).toBe('200 ');
  });

  it.each(['1.0', '1e0', '0.5'])('is not a quantity, which is written as %s', async (cpu) => {
    expect(await send('POST', 'pods?dryRun=All', pod('x', '30', cpu, '80'))).toBe('200 ');
  });

  it.each([
    ['merge-patch', '{"spec":{"replicas":2.0}}', '422'],
    ['json-patch', '[{"op":"replace","path":"/spec/replicas","value":2e0}]', '422'],
    ['json-patch', '[{"op":"test","path":"/spec/replicas","value":1.0}]', '422'],
    ['strategic-merge-patch', '{"spec":{"replicas":2.0}}', '200'],
    ['strategic-merge-patch', '{"spec":{"replicas":1.5}}', '422'],
  ])('in a %s %s: %s', async (form, body, status) => {
    const path = 'replicationcontrollers/rc?dryRun=All';
    expect(await send('PATCH', path, body, `application/${form}+json`)).toContain(`${status} `);
  });

  it('is not written with a fraction in the options of a delete, which deletes nothing', async () => {
    expect(await send('DELETE', 'replicationcontrollers/rc', '{"gracePeriodSeconds":0.0}')).toBe(
      '400 DeleteOptions in version "v1" cannot be handled as a DeleteOptions: gracePeriodSeconds: expected int64, got 0.0',
    );
    expect(await send('DELETE', 'replicationcontrollers/rc?dryRun=All', '{"gracePeriodSeconds":0}')).toBe('200 ');
  });

  it('can be written with a fraction in YAML, as on real servers', async () => {
    const body = controller('x', '2.0');
    expect(await send('POST', 'replicationcontrollers?dryRun=All', body, 'application/yaml')).toBe('200 ');
  });
});
