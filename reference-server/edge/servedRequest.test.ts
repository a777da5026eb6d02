// Tests the warnings of a response: whole if there is room, and not more than clients accept.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { addWarning } from './servedRequest.js';

const warningsOf = (texts: readonly string[]): readonly string[] => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  for (const text of texts) addWarning(response, text);
  return response.getHeader('Warning') as readonly string[];
};

describe('the warnings of a response', () => {
  it('are whole, and there once', () => {
    const long = 'would violate PodSecurity "restricted:latest": '.repeat(20);
    const quoted = long.replaceAll('"', '\\"');
    expect(warningsOf([long, 'short', long])).toEqual([`299 - "${quoted}"`, '299 - "short"']);
  });

  it('are left out if no header can have them, or if they say nothing', () => {
    const texts = ['', 'two\nlines', 'a\tb', 'null\0', 'del\x7f', 'next line\x85', 'careful: é'];
    expect(warningsOf(texts)).toEqual([Buffer.from('299 - "careful: é"').toString('latin1')]);
  });

  it('lose their ends if there are too many, and are left out then', () => {
    const texts = Array.from({ length: 2_000 }, (_, index) => `${index} ${'x'.repeat(index === 0 ? 4_000 : 300)}`);
    const warnings = warningsOf(texts);
    expect(warnings.map((text) => text.split(' ')[2])).toEqual(warnings.map((_, index) => `"${index}`));
    expect(warnings.length).toBe(15);
    expect(new Set(warnings.map(({ length }) => Math.floor(length / 10)))).toEqual(new Set([26]));
  });
});
