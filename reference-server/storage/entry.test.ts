// Entries of texts that others have stored.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Entry } from './storage.js';

let said = '';
beforeEach(() => {
  said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(() => void vi.restoreAllMocks());

const key = 'core/configmaps/n/a';
const metadata = { name: 'a', namespace: 'n', resourceVersion: '7' };

it.each([
  [
    'is no JSON',
    '{"metadata":{',
    { metadata },
    /^the stored record core\/configmaps\/n\/a is damaged, .*not an object/,
  ],
  ['is of another encoding', 'k8s\0\n\x0f', { metadata }, /not an object/],
  ['has a wrong field', '{"metadata":{},"data":[],"immutable":true}', { metadata, immutable: true }, /data: expected/],
  ['is right', '{"metadata":{"name":"a","namespace":"n"},"data":{}}', { metadata, data: {} }, /^$/],
])('a text that %s is read once, and said once', (_, text, value, faults) => {
  const entry = Entry.ofText(key, 7, text);
  expect(entry.value).toEqual(value);
  entry.keepText(() => {});
  expect(entry.value).toEqual(value);
  expect(said).toMatch(faults);
  expect(said.split('\n').length).toBeLessThan(3);
});
