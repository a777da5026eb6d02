// Tests that lists written item by item have the same bytes as whole lists.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApiObject } from './codec.js';
import { json } from './json.js';
import { yaml } from './yaml.js';

const envelope = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '5', selfLink: '/x' } };
const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', ' ', '\n', '#', ': ', '- ', '"', '\t') }));
const item = fc
  .dictionary(
    text.filter((key) => key !== '__proto__'),
    fc.oneof(
      text,
      fc.integer(),
      fc.array(text),
      fc.dictionary(
        fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
        text,
      ),
    ),
  )
  .map((fields) => ({ ...fields }));

test.each([
  ['pretty JSON', json, true, 'items'],
  ['YAML', yaml, false, 'items'],
  ['the rows of a table in pretty JSON', json, true, 'rows'],
  ['the rows of a table in YAML', yaml, false, 'rows'],
] as const)('%s', (_, codec, pretty, field) => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 4 }), (items) => {
      const parts = [...(codec.listInParts?.(envelope, items as ApiObject[], pretty, field) ?? [])];
      const whole = codec.encode({ ...envelope, [field]: items }, pretty);
      expect(Buffer.concat(parts).toString()).toBe(Buffer.from(whole).toString());
    }),
    { numRuns: 300, examples: [[[{ text: 'kept\n\n' }, {}]], [[{}, { text: 'kept\n\n' }]]] },
  );
});
