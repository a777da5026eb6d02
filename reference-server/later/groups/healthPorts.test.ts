// Tests the ports on which load balancers ask nodes for the pods of a service.
import { expect, it } from 'vitest';
import { sendingTo } from '../../testing/sending.js';
import { startFullServer } from '../index.js';

it('a health port is taken once, in its range, and stays', async () => {
  await using server = await startFullServer({});
  const { send, create } = sendingTo(() => server);
  const services = '/api/v1/namespaces/default/services';
  const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] };
  const withPort = (name: string, healthCheckNodePort: number) =>
    create(services, { metadata: { name }, spec: { ...local, healthCheckNodePort } });
  expect((await withPort('first', 31_999)).status).toBe(200);
  for (const [port, why] of [
    [31_999, 'provided port is already allocated'],
    [100, 'provided port is not in the valid range. The range of valid ports is 30000-32767'],
  ] as const) {
    const message = `failed to allocate requested HealthCheck NodePort ${port}: ${why}`;
    expect((await withPort('second', port)).body).toMatchObject({
      message: `Internal error occurred: ${message}`,
      reason: 'InternalError',
      details: { causes: [{ message }] },
      code: 500,
    });
  }
  const merge = 'application/merge-patch+json';
  const change = (spec: object) => send('PATCH', `${services}/first`, { spec }, merge);
  expect((await change({ healthCheckNodePort: 31_998 })).body).toMatchObject({
    code: 422,
    details: { causes: [{ field: 'spec.healthCheckNodePort', reason: 'FieldValueInvalid' }] },
  });
  expect((await change({ healthCheckNodePort: 31_999, selector: { a: 'b' } })).status).toBe(200);
  expect((await change({ externalTrafficPolicy: 'Cluster', healthCheckNodePort: null })).status).toBe(200);
  expect((await withPort('second', 31_999)).status).toBe(200);
});
