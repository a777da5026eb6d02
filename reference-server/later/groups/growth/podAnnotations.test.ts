// The annotations of pods as 1.20 reads and writes them. `AGAINST` names a real server of that version.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../../server.js';
import type { AnyShape } from '../../../testing/anyShape.js';
import { sendingTo } from '../../../testing/sending.js';
import { realServerOr } from '../../testing/customResources.js';

let server: RunningServer;
const { create, send } = sendingTo(() => server);
beforeAll(async () => {
  server = await realServerOr({ kubeVersion: '1.20', without: ['service-account-admission'] });
});
afterAll(() => server.close());

const pods = '/api/v1/namespaces/default/pods';
const ofPod = 'seccomp.security.alpha.kubernetes.io/pod';
const ofContainer = 'container.seccomp.security.alpha.kubernetes.io/c';
const appArmor = 'container.apparmor.security.beta.kubernetes.io/c';
const filled = async (annotations: object, spec: AnyShape = {}, container: object = {}) => {
  const body = {
    metadata: { name: 'p', annotations },
    spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec },
  };
  const answer = await create(`${pods}?dryRun=All`, body);
  expect([200, 201], answer.body.message).toContain(answer.status);
  return answer.body;
};
const secured = (seccompProfile: object) => ({ securityContext: { seccompProfile } });
const local = { type: 'Localhost', localhostProfile: 'a.json' };

describe('seccomp', () => {
  it.each([
    ['runtime/default', { type: 'RuntimeDefault' }],
    ['docker/default', { type: 'RuntimeDefault' }],
    ['unconfined', { type: 'Unconfined' }],
    ['localhost/a.json', local],
  ])('%s in an annotation is a field', async (value, profile) => {
    const { spec } = await filled({ [ofPod]: value, [ofContainer]: value });
    const both = [spec.securityContext.seccompProfile, spec.containers[0].securityContext?.seccompProfile];
    expect(both).toEqual([profile, profile]);
  });

  it.each([
    [{ type: 'RuntimeDefault' }, 'runtime/default'],
    [{ type: 'Unconfined' }, 'unconfined'],
    [local, 'localhost/a.json'],
  ])('%j in a field is an annotation', async (profile, value) => {
    const { metadata } = await filled({}, secured(profile), secured(profile));
    expect(metadata.annotations).toEqual({ [ofPod]: value, [ofContainer]: value });
  });
});

it('AppArmor has annotations alone', async () => {
  const { spec } = await filled({ [appArmor]: 'unconfined' });
  expect(spec.containers[0].securityContext).toBeUndefined();
});

it.each([
  ['adds', {}, { [appArmor]: 'unconfined' }],
  ['changes', { [appArmor]: 'unconfined' }, { [appArmor]: 'runtime/default' }],
  ['removes', { [appArmor]: 'unconfined' }, { [appArmor]: null }],
])('an update that %s a profile of AppArmor is refused', async (verb, annotations, changed) => {
  const name = `profile-${verb}`;
  await create(pods, { metadata: { name, annotations }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  const patch = { metadata: { annotations: changed } };
  const { status, body } = await send('PATCH', `${pods}/${name}`, patch, 'application/merge-patch+json');
  await send('DELETE', `${pods}/${name}`, { gracePeriodSeconds: 0 });
  expect([status, body.details?.causes?.[0]?.field]).toEqual([422, `metadata.annotations[${appArmor}]`]);
});
