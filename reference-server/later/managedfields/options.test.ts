// All mistakes in the query of a write are named at once, before anything else is looked at, as kube-apiserver 1.20 does.
// `AGAINST` names a real one, to see that it does.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import { sendingTo } from '../../testing/sending.js';
import { realServerOr } from '../testing/customResources.js';

let server: RunningServer;
const { send } = sendingTo(() => server);
beforeAll(async () => {
  server = await realServerOr({ kubeVersion: '1.20', without: ['service-account-admission'] });
});
afterAll(() => server.close());

const core = '/api/v1/namespaces/default';
const long = 'x'.repeat(129);
const [tooLong, unprintable, unknown] = [
  'fieldManager FieldValueTooLong',
  'fieldManager FieldValueInvalid',
  'dryRun FieldValueNotSupported',
];
const required = 'fieldManager FieldValueRequired';
const forced = 'force FieldValueForbidden';
const policy = 'propagationPolicy';
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';
/** A body that no kind has: it is not looked at. */
const none = { kind: 'Nothing' };

it.each([
  ['POST', `${core}/configmaps`, undefined, `dryRun=x&fieldManager=${long}`, [tooLong, unknown]],
  [
    'POST',
    `${core}/configmaps`,
    undefined,
    `dryRun=All&dryRun=x&fieldManager=%07${long}`,
    [tooLong, unprintable, unknown],
  ],
  ['POST', `${core}/configmaps`, undefined, 'dryRun=x&force=true', [unknown]],
  ['PUT', `${core}/configmaps/absent`, undefined, `dryRun=&fieldManager=a%00`, [unprintable, unknown]],
  ['PUT', '/api/v1/nodes/absent/status', undefined, `dryRun=x&fieldManager=${long}`, [tooLong, unknown]],
  ['PUT', '/api/v1/namespaces/absent/finalize', undefined, `dryRun=x&fieldManager=${long}`, [tooLong, unknown]],
  ['PATCH', `${core}/configmaps/absent`, merge, `dryRun=x&force=1&fieldManager=a%07`, [forced, unprintable, unknown]],
  ['PATCH', `${core}/configmaps/absent`, apply, 'dryRun=x', [required, unknown]],
  ['PATCH', `${core}/replicationcontrollers/absent/scale`, merge, 'dryRun=x&force=false', [forced, unknown]],
  ['PATCH', '/apis/apps/v1/namespaces/default/deployments/absent/scale', apply, 'dryRun=x', [required, unknown]],
  [
    'PUT',
    `${core}/replicationcontrollers/absent/scale`,
    undefined,
    `dryRun=x&fieldManager=${long}`,
    [tooLong, unknown],
  ],
  ['POST', `${core}/pods/absent/binding`, undefined, `dryRun=x&fieldManager=${long}`, [tooLong, unknown]],
  ['POST', `${core}/bindings`, undefined, `dryRun=x&fieldManager=${long}`, [tooLong, unknown]],
  ['POST', `${core}/pods/absent/eviction`, undefined, `dryRun=x&fieldManager=${long}`, [tooLong, unknown]],
  ['POST', `${core}/serviceaccounts/absent/token`, undefined, `dryRun=x&fieldManager=${long}`, [tooLong, unknown]],
  [
    'POST',
    '/apis/authentication.k8s.io/v1/tokenreviews',
    undefined,
    `dryRun=x&fieldManager=${long}`,
    [tooLong, unknown],
  ],
  [
    'POST',
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    undefined,
    `dryRun=x&fieldManager=${long}`,
    [tooLong, unknown],
  ],
  ['DELETE', `${core}/configmaps`, undefined, `dryRun=x&${policy}=x`, [`${policy} FieldValueNotSupported`, unknown]],
  [
    'DELETE',
    `${core}/configmaps/absent`,
    undefined,
    `dryRun=x&${policy}=x&orphanDependents=true`,
    [`${policy} FieldValueInvalid`, `${policy} FieldValueNotSupported`, unknown],
  ],
] as const)('%s of %s, %s, with %s', async (method, path, type, query, causes) => {
  const body = method === 'DELETE' ? undefined : none;
  const answer = await send(method, `${path}?${query}`, body, type);
  const { details } = answer.body as { details?: { causes?: readonly { field: string; reason: string }[] } };
  expect([answer.status, details?.causes?.map(({ field, reason }) => `${field} ${reason}`)]).toEqual([422, causes]);
});

it('counts the place of an unprintable character in bytes', async () => {
  const { body } = await send('POST', `${core}/configmaps?fieldManager=a%C3%A9b%01`, none);
  expect((body as { message: string }).message).toContain('invalid character U+0001 (at position 4)');
});
