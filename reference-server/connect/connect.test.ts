// Tests the checks of connect operations before the server dials.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Direct, startDirect } from '../testing/direct.js';

const core = '/api/v1/namespaces/default';
const podSpec = { containers: [{ name: 'c', image: 'i:1' }] };
let server: Direct;

beforeEach(async () => {
  server = await startDirect();
  return server.stop;
});

describe('connect', () => {
  const exec = `${core}/pods/p/exec?command=ls`;
  beforeEach(async () => {
    await server.create(`${core}/pods`, { metadata: { name: 'p' }, spec: podSpec });
    await server.create(`${core}/pods`, {
      metadata: { name: 'two' },
      spec: {
        containers: [
          { name: 'a', image: 'i' },
          { name: 'b', image: 'i' },
        ],
      },
    });
    await server.create(`${core}/pods`, { metadata: { name: 'lost' }, spec: { ...podSpec, nodeName: 'no-node' } });
    await server.create('/api/v1/nodes', { metadata: { name: 'n' } });
    await server.create(`${core}/pods`, { metadata: { name: 'there' }, spec: { ...podSpec, nodeName: 'n' } });
    await server.create(`${core}/services`, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
  });

  test('the log of a pod that is not scheduled is empty', async () => {
    expect(await server.call('GET', `${core}/pods/p/log`)).toEqual({ status: 200, body: '' });
  });

  test.each([
    ['GET', `${core}/pods/nope/log`, 404, 'pods "nope" not found'],
    ['GET', `${core}/pods/p/log?container=zz`, 400, 'container zz is not valid for pod p'],
    ['GET', `${core}/pods/two/log`, 400, 'a container name must be specified for pod two, choose one of: [a b]'],
    ['GET', `${core}/pods/p/log?tailLines=-1`, 422, 'PodLogOptions "p" is invalid: tailLines: Invalid value: -1'],
    ['GET', `${core}/pods/p/log?limitBytes=0`, 422, 'limitBytes: Invalid value: 0: must be greater than 0'],
    ['GET', `${core}/pods/p/log?sinceSeconds=0`, 422, 'sinceSeconds: Invalid value: 0: must be greater than 0'],
    ['GET', `${core}/pods/p/log?tailLines=abc`, 400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
    ['GET', `${core}/pods/p/log?sinceTime=x`, 400, 'parsing time "x"'],
    ['GET', `${core}/pods/p/log?sinceSeconds=1&sinceTime=2016-01-01T00:00:00Z`, 422, 'at most one of'],
    ['GET', `${core}/pods/lost/log`, 404, 'nodes "no-node" not found'],
    ['GET', `${core}/pods/there/log`, 503, 'node n has told no address'],
    ['POST', exec, 400, 'pod p does not have a host assigned'],
    ['GET', `${exec}&container=zz`, 400, 'container zz is not valid for pod p'],
    ['POST', `${core}/pods/two/attach`, 400, 'choose one of: [a b]'],
    ['POST', `${core}/pods/two/portforward`, 400, 'does not have a host assigned'],
    ['GET', `${core}/pods/there/exec`, 400, 'Upgrade request required'],
    ['GET', `${core}/pods/nope/exec`, 404, 'pods "nope" not found'],
    ['GET', `${core}/pods/p/proxy`, 400, 'address not allowed'],
    ['GET', `${core}/pods/nope/proxy/a/b`, 404, 'pods "nope" not found'],
    ['GET', `${core}/services/s/proxy`, 503, 'no endpoints available for service "s"'],
    ['PUT', `${core}/services/https:s:http/proxy/x`, 503, 'no endpoints available for service "https:s:http"'],
    ['GET', `${core}/services/a:b:c:d/proxy`, 400, 'invalid service request "a:b:c:d"'],
    ['DELETE', '/api/v1/proxy/namespaces/default/services/nope', 404, 'services "nope" not found'],
    ['GET', '/api/v1/proxy/namespaces/default/pods/p/x', 400, 'address not allowed'],
    ['GET', '/api/v1/nodes/nope/proxy', 404, 'nodes "nope" not found'],
    ['GET', '/api/v1/proxy/nodes/n/x', 503, 'node n has told no address'],
  ] as const)('%s %s is %i', async (method, url, status, message) => {
    const reply = await server.call(method, url);
    expect(reply.body.message).toContain(message);
    expect(reply.status).toBe(status);
  });
});
