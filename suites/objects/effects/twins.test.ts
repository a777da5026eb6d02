// Defaults of a twin complete the expected state where the server has them too, and never change a value.
import { expect, it } from 'vitest';
import type { JsonObject } from '../../client/json.js';
import { withDefaults } from './twins.js';

it.each<[what: string, twin: JsonObject, after: JsonObject, completed: JsonObject]>([
  ['adds a default', { spec: { a: 1, b: 2 } }, { spec: { a: 1, b: 2 } }, { spec: { a: 1, b: 2 } }],
  ['adds the value of the twin', { spec: { a: 1, b: 2 } }, { spec: { a: 1, b: 3 } }, { spec: { a: 1, b: 2 } }],
  ['keeps its own value', { spec: { a: 2 } }, { spec: { a: 2 } }, { spec: { a: 1 } }],
  ['adds nothing that the twin lacks', { spec: { a: 1 } }, { spec: { a: 1, b: 2 } }, { spec: { a: 1 } }],
  ['adds nothing that the object lacks', { spec: { a: 1, b: 2 } }, { spec: { a: 1 } }, { spec: { a: 1 } }],
  ['takes no status', { spec: { a: 1 }, status: { b: 2 } }, { status: { b: 2 } }, { spec: { a: 1 } }],
])('%s', (_, twin, after, completed) => {
  expect(withDefaults({ spec: { a: 1 } }, twin, after)).toEqual(completed);
});

it('completes items of lists', () => {
  const twin = { spec: [{ a: 1, b: 2 }, { a: 3 }] };
  expect(withDefaults({ spec: [{ a: 1 }, { a: 3 }] }, twin, twin)).toEqual(twin);
});
