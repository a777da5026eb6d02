// What a container finds of services in its environment, and of its own resources.
import { expect, test } from 'vitest';
import { amountOf } from './requests.js';
import { serviceVariables } from './serviceVariables.js';

const service = (spec: object) => ({ metadata: { name: 'my-db' }, spec });

test('the variables of a service', () => {
  const ports = [
    { name: 'sql-tls', port: 5432 },
    { port: 53, protocol: 'UDP' as const },
  ];
  expect(Object.fromEntries(serviceVariables([service({ clusterIP: '10.0.0.9', ports })]))).toEqual({
    MY_DB_SERVICE_HOST: '10.0.0.9',
    MY_DB_SERVICE_PORT: '5432',
    MY_DB_SERVICE_PORT_SQL_TLS: '5432',
    MY_DB_PORT: 'tcp://10.0.0.9:5432',
    MY_DB_PORT_5432_TCP: 'tcp://10.0.0.9:5432',
    MY_DB_PORT_5432_TCP_PROTO: 'tcp',
    MY_DB_PORT_5432_TCP_PORT: '5432',
    MY_DB_PORT_5432_TCP_ADDR: '10.0.0.9',
    MY_DB_PORT_53_UDP: 'udp://10.0.0.9:53',
    MY_DB_PORT_53_UDP_PROTO: 'udp',
    MY_DB_PORT_53_UDP_PORT: '53',
    MY_DB_PORT_53_UDP_ADDR: '10.0.0.9',
  });
});

test.each([{ clusterIP: 'None', ports: [{ port: 1 }] }, { clusterIP: '10.0.0.9' }, { ports: [{ port: 1 }] }])(
  'none of %j',
  (spec) => expect(serviceVariables([service(spec)])).toEqual([]),
);

test.each([
  ['limits.cpu', '0', '2'],
  ['limits.cpu', '1m', '1250'],
  ['limits.memory', '1Mi', '64'],
  ['requests.cpu', '1m', '250'],
  ['requests.memory', '1', '0'],
  ['limits.ephemeral-storage', '1', String(64 * 2 ** 30)],
])('%s in units of %s', (field, divisor, amount) => {
  const resources = { limits: { cpu: '1250m', memory: '64Mi' }, requests: { cpu: '250m' } };
  expect(amountOf({ name: 'c', resources }, field, divisor)).toBe(amount);
});

test('without a limit, a container may use what the node has', () => {
  expect([amountOf({ name: 'c' }, 'limits.cpu'), amountOf({ name: 'c' }, 'limits.memory', '1Gi')]).toEqual(['8', '16']);
});
