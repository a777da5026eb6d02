// The formats of strings: which texts they take, whatever the length of the text.
import { describe, expect, it } from 'vitest';
import { formats } from './formats.js';

const takes = (format: string, text: string): boolean | undefined => formats[format]?.(text);

describe('a duration', () => {
  it.each([
    '0',
    '-0',
    '1s',
    '1.5h',
    '1h30m',
    '-2 days',
    '3 weeks 1 d',
    '10ms',
    '5min',
    '7 milliseconds',
    '1 sec 2 secs',
  ])('is "%s"', (text) => expect(takes('duration', text)).toBe(true));

  it.each(['', '1', 's', '1x', '1s!', '--1s', '1sm', '00', '1 s x'])('is not "%s"', (text) =>
    expect(takes('duration', text)).toBe(false),
  );
});

describe('a long text of a client', () => {
  const parts = ['1s', '1', '1 ', 's', '1.', '1min', 'a', 'a@', 'a.', '%', ':', '-', '0000-00-00T00:00:00Z', '/'];
  it.each(Object.keys(formats).flatMap((format) => parts.map((part) => [format, part] as const)))(
    'is read once by the format %s: many times "%s"',
    (format, part) => expect(takes(format, `${part.repeat(25_000)}!`)).toBe(false),
  );
});
