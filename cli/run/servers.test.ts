// What a start command says that its server lacks.
import { expect, it } from 'vitest';
import { lacksIn } from './servers.js';

it('the lines of a start command name capabilities, each with the reason', () => {
  const output = 'url: https://a\nlacks: feature:token-controller no controller runs\nlacks:\nit lacks: nothing\n';
  expect(lacksIn(output)).toEqual([
    { capability: 'feature:token-controller', reason: 'no controller runs', at: 'its start command' },
  ]);
});
