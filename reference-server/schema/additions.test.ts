// Defaults that are added after a type was decoded for the first time.
import { expect, it } from 'vitest';
import { typeOf } from '../../matrix/api/modern/index.js';
import { doAll } from '../turns.js';
import { decodeValue } from './decode.js';
import { addDefaults, defaults } from './defaults.js';

it('hold for what is decoded from then on', () => {
  const name = 'ComponentCondition';
  const decoded = () => doAll(decodeValue(typeOf(name), { type: 'Healthy' }));
  const before = decoded();
  expect(before).not.toHaveProperty('message');
  addDefaults({ [name]: { message: 'later' } });
  expect(decoded()).toMatchObject({ message: 'later' });
  // The other tests of this process get the table as it was.
  delete (defaults as Record<string, unknown>)[name];
  addDefaults({ [name]: {} });
  expect(decoded()).toEqual(before);
});
