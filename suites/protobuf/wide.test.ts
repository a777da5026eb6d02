import { expect, it } from 'vitest';
import { fieldsOf } from './wide.js';

it('takes the fields of one object and the values of another', () => {
  const fields = { spec: { selector: { of: 'a' }, ports: [{ port: 1 }] } };
  const values = { spec: { selector: { of: 'b' }, ports: [{ port: 1, name: 'lost' }], lost: true } };
  expect(fieldsOf(fields, values)).toEqual({ spec: { selector: { of: 'b' }, ports: [{ port: 1 }] } });
});
