// Repairs keep the types that a schema declares, and the words of the first refusal.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Client } from '../../client/client.js';
import type { JsonObject } from '../../client/json.js';
import { bareTarget } from '../../testing/bareTarget.js';
import { type Attempt, acceptedSample } from './repair.js';

let server: Server;
let client: Client;
afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** What a server says about a field: `field: message`; undefined if it accepts the object. */
type Judge = (body: JsonObject) => readonly [field: string, message: string] | undefined;

const bodies: JsonObject[] = [];

async function repaired(schema: JsonObject, fields: JsonObject, judge: Judge): Promise<Attempt> {
  bodies.length = 0;
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
    bodies.push(body);
    const [field, message] = judge(body) ?? [];
    const causes = [{ reason: 'FieldValueInvalid', field, message }];
    const refusal = { kind: 'Status', message: `${field}: ${message}`, details: { causes } };
    response.writeHead(field === undefined ? 200 : 422, { 'content-type': 'application/json' });
    response.end(JSON.stringify(field === undefined ? body : refusal));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new Client(bareTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  const located = { schema, document: {} };
  return await acceptedSample({ client, path: '/widgets', bodyOf: (given) => given, located }, fields);
}

const range = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['min', 'max'],
      properties: { min: { type: 'integer' }, max: { type: 'integer' } },
    },
  },
};
const numberAt = (body: JsonObject, name: string): number => Number((body.spec as JsonObject | undefined)?.[name]);

it('two numbers of which one must be below the other', async () => {
  const judge: Judge = (body) =>
    numberAt(body, 'min') < numberAt(body, 'max') ? undefined : ['spec', 'min must be below max'];
  expect(await repaired(range, { spec: { min: 1, max: 1 } }, judge)).toMatchObject({
    fields: { spec: { min: 1, max: 2 } },
  });
});

it('a rule that no value meets is told in its own words, and what is required stays', async () => {
  const judge: Judge = (body) => (body.spec === undefined ? ['spec', 'Required value'] : ['spec', 'no day for this']);
  expect(await repaired(range, { spec: { min: 1, max: 1 } }, judge)).toEqual({ refused: '422 spec: no day for this' });
  expect(bodies.every(({ spec }) => spec !== undefined)).toBe(true);
});

it.each([
  ['a list', { type: 'array', items: { type: 'string' } }, 'one of these. supported values: "a", "b"', ['b']],
  ['a number', { type: 'integer' }, 'Unsupported value: 0: supported values: "3", "5"', 5],
] as const)('a supported value in the declared type: %s', async (_, schema, message, right) => {
  const judge: Judge = ({ field }) =>
    JSON.stringify(field) === JSON.stringify(right) ? undefined : ['field', message];
  const made = await repaired({ type: 'object', properties: { field: schema } }, { field: null }, judge);
  expect(made).toMatchObject({ fields: { field: right } });
});

it('a list stays a list, whatever a cause says', async () => {
  const schema = { type: 'object', properties: { rules: { type: 'array', items: { type: 'string' } } } };
  const judge: Judge = ({ rules }) => (rules === undefined ? undefined : ['rules.first', 'must be a text']);
  await repaired(schema, { rules: ['a'] }, judge);
  expect(bodies.every(({ rules }) => rules === undefined || Array.isArray(rules))).toBe(true);
});
