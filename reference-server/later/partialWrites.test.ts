// A patch costs what it changes: what it leaves alone is not looked at again, and what it changes is.
import { expect, it } from 'vitest';
import { sendingTo } from '../testing/sending.js';
import { startFullServer } from './index.js';

it('a patch is checked where it changes something', async () => {
  await using server = await startFullServer({ without: ['service-account-admission'] });
  const { create, read, send } = sendingTo(() => server);
  const pods = '/api/v1/namespaces/default/pods';
  const spec = { containers: [{ name: 'c', image: 'i' }], activeDeadlineSeconds: 50 };
  await create(pods, { metadata: { name: 'a', labels: { a: 'b' } }, spec });
  const before = await read(`${pods}/a`);
  const patch = (body: object, type = 'application/merge-patch+json', query = '') =>
    send('PATCH', `${pods}/a${query}`, body, type);
  const strict = '?fieldValidation=Strict';
  const labelled = await patch({ metadata: { labels: { c: 'd' } } }, undefined, strict);
  expect([labelled.status, labelled.body.spec]).toEqual([200, before.spec]);
  const kinds = ['application/merge-patch+json', 'application/strategic-merge-patch+json'];
  for (const type of kinds) {
    expect((await patch({ spec: { unknown: 1 } }, type, strict)).status).toBe(422);
    expect((await patch({ spec: { activeDeadlineSeconds: -1 } }, type)).status).toBe(422);
    expect((await patch({ spec: { activeDeadlineSeconds: 'x' } }, type)).status).toBe(422);
    expect((await patch({ metadata: { labels: { 'a b': 'c' } } }, type)).status).toBe(422);
    expect((await read(`${pods}/a`)).spec).toEqual(before.spec);
  }
  const shorter = await patch({ spec: { activeDeadlineSeconds: 40 } });
  expect([shorter.status, shorter.body.spec]).toEqual([200, { ...before.spec, activeDeadlineSeconds: 40 }]);
  const replace = [{ op: 'replace', path: '/spec/activeDeadlineSeconds', value: 30 }];
  const again = await patch(replace, 'application/json-patch+json');
  expect(again.body.spec).toEqual({ ...before.spec, activeDeadlineSeconds: 30 });
  expect((await read(`${pods}/a`)).spec).toEqual({ ...before.spec, activeDeadlineSeconds: 30 });
});
