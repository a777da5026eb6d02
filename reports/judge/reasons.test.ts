import { expect, it } from 'vitest';
import { judgeSample, requirement, result, sampleCase } from '../testing/sample.js';
import { byReason } from './reasons.js';

it('cases whose reasons name other objects of the run have one reason', () => {
  const rule = requirement('create.answer');
  const messages = [
    'POST /namespaces/kac-ab2c3d-w1c-main/pods: pods "kac-ab2c3d-w1c-7" is forbidden',
    'POST /namespaces/kac-ab2c3d-w0-main/pods: pods "kac-ab2c3d-w0-3451" is forbidden',
    'POST /namespaces/default/pods: pods "kac-ab2c3d-w0-3451" is forbidden',
  ];
  const expected = messages.map((_, index) => sampleCase(rule, `subject ${index}`));
  const results = expected.map((one, index) => result(one, 'skipped', { message: messages[index] ?? '' }));
  const { cases } = judgeSample({ expected, results });
  expect(byReason(cases, 'skipped').map(([reason, members]) => [reason, members.length])).toEqual([
    ['POST /namespaces/kac-main/pods: pods "kac-7" is forbidden', 2],
    ['POST /namespaces/default/pods: pods "kac-3451" is forbidden', 1],
  ]);
});
