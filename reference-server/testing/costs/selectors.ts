// Costs of selectors, names and scalars: texts that are designed to be expensive, and random texts.
import fc from 'fast-check';
import { json } from '../../codecs/json.js';
import { yaml } from '../../codecs/yaml.js';
import { stepsOf } from '../../patch/pointer.js';
import { parseContinueToken } from '../../query/continuation.js';
import * as formats from '../../schema/formats.js';
import { scalars, TypeMismatch } from '../../schema/scalars.js';
import { parseFieldSelector } from '../../selectors/fields.js';
import { parseLabelSelector } from '../../selectors/labels.js';
import { resourceRow } from '../../versions/addresses.js';
import type { Work } from './growth.js';
import { type Pump, pump, textWorks } from './texts.js';

const pods = resourceRow('core/pods');
const labels = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, String(index)]));

/** Parses a label selector and matches it against ten sets of labels. */
function selectByLabels(text: string): undefined {
  const matches = parseLabelSelector(text);
  for (let count = 0; count < 10; count += 1) matches?.(labels);
}

function selectByFields(text: string): undefined {
  const matches = parseFieldSelector(text, pods);
  for (let count = 0; count < 10; count += 1) matches?.({ metadata: { name: 'a' } });
}

const labelTexts: Readonly<Record<string, Pump>> = {
  terms: pump('', 'a,', 'a'),
  absences: pump('', '!a,', 'a'),
  'a set': pump('k1 in (', 'a,', 'a)'),
  'a set that differs': pump('k1 notin (', (index) => `a${index},`, 'a)'),
  parentheses: pump('a in ', '(', ''),
  commas: pump('a', ',', ''),
  marks: pump('', '!', 'a'),
  'equal signs': pump('a', '=', ''),
  spaces: pump('a', ' ', '=b'),
  'a long key': pump('', 'a', '=b'),
  'a long value': pump('a=', 'a', ''),
  'a long bound': pump('k1>', '9', ''),
  bounds: pump('', 'k1>0,', 'k1<2'),
};

const fieldTexts: Readonly<Record<string, Pump>> = {
  terms: pump('', 'metadata.name=a,', 'metadata.name=a'),
  'a long value': pump('metadata.name=', 'a', ''),
  backslashes: pump('metadata.name=', '\\\\', ''),
  'a backslash at the end': pump('metadata.name=', '\\\\', '\\'),
  'escaped commas': pump('metadata.name=', '\\,', ''),
  'equal signs': pump('metadata.name=', '=', ''),
  marks: pump('metadata.name', '!', '=a'),
  commas: pump('', ',', 'metadata.name=a'),
  dots: pump('', '.', '=a'),
};

/** The parsers of scalars, names, keys and pointers. */
const texts: Readonly<Record<string, (text: string) => unknown>> = {
  ...Object.fromEntries(
    Object.entries(formats)
      .filter(([, format]) => typeof format === 'function')
      .map(([name, format]) => [name, (text: string) => void (format as formats.Format)(text)]),
  ),
  ...Object.fromEntries(
    (['quantity', 'bytes', 'time', 'int64', 'intOrString'] as const).map((name) => [
      name,
      (text: string) => {
        try {
          scalars[name](text);
        } catch (error) {
          if (!(error instanceof TypeMismatch)) throw error;
        }
      },
    ]),
  ),
  'JSON pointer': (text) => {
    try {
      stepsOf(text);
    } catch {
      // The text is invalid.
    }
  },
  'continue token': (text) => void parseContinueToken(text, ''),
};

const units = [
  'a',
  'a.',
  'a-',
  '-',
  '.',
  'A',
  '0',
  '9',
  '/',
  '~',
  '~1',
  'a/',
  '_',
  ' ',
  '\n',
  '=',
  'é',
  '0.',
  'e',
  'AAAA',
  'AAA=',
];
const textPumps: Readonly<Record<string, Pump>> = Object.fromEntries(
  units.flatMap((unit) => [
    [JSON.stringify(unit), pump('', unit, '')],
    [`${JSON.stringify(unit)}, then what ends it`, pump('a', unit, '!')],
  ]),
);
const quantityPumps: Readonly<Record<string, Pump>> = {
  digits: pump('', '9', ''),
  zeros: pump('0.', '0', '1'),
  'digits of an exponent': pump('1e', '9', ''),
  'digits of a negative exponent': pump('1e-', '9', ''),
  spaces: pump('1', ' ', ''),
};

/** Selectors and all other parsers of a single text. */
export const textualWorks: readonly Work[] = [
  ...textWorks('labelSelector', labelTexts, selectByLabels),
  ...textWorks('fieldSelector', fieldTexts, selectByFields),
  ...textWorks('quantity', quantityPumps, (text) => void texts.quantity?.(text)),
  ...Object.entries(texts).flatMap(([name, read]) => textWorks(name, textPumps, (text) => void read(text))),
];

/** The languages with the pieces of their random texts. */
const languages: readonly [string, readonly string[], (text: string) => unknown][] = [
  [
    'json',
    [
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"',
      '\\',
      '\\u0041',
      '"a"',
      '"a":',
      '0',
      '-',
      '.',
      'e',
      '1',
      'true',
      'null',
      ' ',
      '\n',
    ],
    (text) => json.decode(Buffer.from(text)),
  ],
  [
    'yaml',
    [
      '- ',
      ': ',
      '? ',
      'a',
      'k: ',
      '\n',
      ' ',
      '  ',
      '[',
      ']',
      '{',
      '}',
      ', ',
      '"',
      "'",
      '\\',
      '#',
      ' #',
      '&a ',
      '*a ',
      '!',
      '!!str ',
      '|',
      '>',
      '---\n',
      '...',
      '%',
      '<<: ',
      '0',
      '1',
      ':',
      '.',
      '_',
      '~',
      'true',
      '\t',
      '=',
      '-',
      '@',
      '`',
    ],
    (text) => yaml.decode(Buffer.from(text)),
  ],
  [
    'labelSelector',
    ['a', 'in', ' in ', 'notin', '(', ')', ',', '!', '=', '==', '!=', '>', '<', '1', ' ', '/', '.', '-'],
    selectByLabels,
  ],
  ['fieldSelector', ['metadata.name', 'a', '=', '==', '!=', '!', ',', '\\', '\\,', '\\=', '.', ' '], selectByFields],
  [
    'a text',
    units,
    (text) =>
      Object.values(texts).forEach((read) => {
        try {
          read(text);
        } catch {
          /* The text is invalid. */
        }
      }),
  ],
];

/** Random texts: a beginning, a repeated unit, an end. */
export const arbitraryWorks: fc.Arbitrary<Work> = fc.oneof(
  ...languages.map(([name, pieces, read]) => {
    const some = (minLength: number, maxLength: number) =>
      fc.array(fc.constantFrom(...pieces), { minLength, maxLength }).map((drawn) => drawn.join(''));
    return fc
      .tuple(some(0, 3), some(1, 4), some(0, 2))
      .map(
        ([start, unit, end]): Work =>
          textWorks(
            name,
            { [JSON.stringify([start, unit, end])]: pump(start, unit, end) },
            (text) => void read(text),
          )[0] as Work,
      );
  }),
);
