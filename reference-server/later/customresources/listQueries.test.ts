// What a list says of the values of its query, as apiextensions 0.36 does. `AGAINST` asks a real server
// (testing/customResources.ts).
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import {
  DefinitionClient,
  definition,
  definitions,
  serverWithDefinitions,
  version,
} from '../testing/customResources.js';

const plural = `queries${Date.now() % 1_000_000}`;
let server: RunningServer;
let client: DefinitionClient;
beforeAll(async () => {
  server = await serverWithDefinitions();
  client = new DefinitionClient(server);
  await client.define(definition(plural, 'Query', [version('v1', {})]));
});
afterAll(async () => {
  await client.send('DELETE', `${definitions}/${plural}.example.com`);
  await server.close();
});

const match = 'resourceVersionMatch';
const forbidden = (why: string) => `${match}: Forbidden: ${match} is forbidden ${why}`;
const unknown = `${match}: Unsupported value: "x": supported values: "Exact", "NotOlderThan", ""`;
const noInteger = (text: string, why = 'invalid syntax') => `strconv.ParseInt: parsing "${text}": ${why}`;
const largest = '9223372036854775807';

it.each([
  ['timeoutSeconds=', 400, noInteger('')],
  ['limit=', 400, noInteger('')],
  ['limit=x', 400, noInteger('x')],
  ['limit=9223372036854775808', 400, noInteger('9223372036854775808', 'value out of range')],
  [`limit=${largest}`, 200, undefined],
  [`limit=-${largest}`, 200, undefined],
  ['resourceVersion=', 200, undefined],
  [
    'resourceVersion=18446744073709551616',
    400,
    'strconv.ParseUint: parsing "18446744073709551616": value out of range',
  ],
  ['resourceVersion=18446744073709551615', 504, 'Too large resource version: 18446744073709551615, current: '],
  ['resourceVersion=9007199254740993', 504, 'Too large resource version: 9007199254740993, current: '],
  [`${match}=x`, 422, `[${forbidden('unless resourceVersion is provided')}, ${unknown}]`],
  [`${match}=x&resourceVersion=1`, 422, unknown],
  [
    `${match}=Exact&continue=x`,
    422,
    `[${forbidden('unless resourceVersion is provided')}, ${forbidden('when continue is provided')}]`,
  ],
  ['continue=x&resourceVersion=1', 400, 'continue key is not valid: illegal base64 data at input byte 0'],
  ['continue=e30', 400, 'continue key is not valid: server does not recognize this encoded version '],
  ['labelSelector=a%20in%20(b', 400, "unable to parse requirement: found '', expected: ',', ')' or identifier"],
  ['labelSelector=a%20b', 400, "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ['labelSelector=a%3Eb', 400, `values[0]: Invalid value: "b": for 'Gt', 'Lt' operators`],
])('a list with %s', async (query, status, message) => {
  const answer = await client.send('GET', `/apis/example.com/v1/${plural}?${query}`);
  expect([answer.status, answer.body.message]).toEqual([
    status,
    message === undefined ? undefined : expect.stringContaining(message),
  ]);
});
