// Tests how much of its variables and arguments a container can hold.
import { expect, test } from 'vitest';
import { ArgumentSpace } from './environment.js';

test('variables that double each other, and arguments that repeat one, end', () => {
  const space = new ArgumentSpace();
  const environment = new Map([['V0', 'xyz']]);
  const double = () => {
    for (let at = 0; at < 60; at++) environment.set(`V${at + 1}`, space.expand(`$(V${at})$(V${at})`, environment));
  };
  expect(double).toThrow('argument list too long');
  const text = 'x'.repeat(1024 * 1024);
  expect(() => new ArgumentSpace().expand('$(A)$(A)$(A)', new Map([['A', text]]))).toThrow('argument list too long');
});

test('references, dollars and unknown names are expanded', () => {
  const text = new ArgumentSpace().expand('$(A) $$(A) $(B) $$ $', new Map([['A', '$(B)']]));
  expect(text).toBe('$(B) $(A) $(B) $ $');
});
