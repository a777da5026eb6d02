// The formats of strings in schemas that the server checks; others are only words, as on real servers.
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { fullFormats } from 'ajv-formats/dist/formats.js';

type Check = (text: string) => boolean;

function known(name: keyof typeof fullFormats): Check {
  const format = fullFormats[name];
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'function') return format as Check;
  const { validate } = format as { validate: Check | RegExp };
  return validate instanceof RegExp ? (text) => validate.test(text) : validate;
}

const matching =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);

const hexadecimal = '[0-9a-f]';
const uuid = (version: string) =>
  new RegExp(
    `^${hexadecimal}{8}-?${hexadecimal}{4}-?${version}${hexadecimal}{3}-?${hexadecimal}{4}-?${hexadecimal}{12}$`,
    'i',
  );

const units = '(?:ns|us|µs|ms|m|h|d|w|(?:nano|micro|milli)?s(?:ec(?:ond)?s?)?|min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?)';

/** Ends before a digit or at the end of the text, so that no text has two readings. */
const durationPart = new RegExp(`\\d+(?:\\.\\d*)?\\s*${units}\\s*(?=\\d|$)`, 'y');

/** Reads a duration part by part: a pattern for the whole would try each reading of each part. */
function isDuration(text: string): boolean {
  const unsigned = text.replace(/^[+-]/, '');
  let end = 0;
  durationPart.lastIndex = 0;
  while (durationPart.test(unsigned)) end = durationPart.lastIndex;
  return unsigned === '0' || (end > 0 && end === unsigned.length);
}

export const formats: Readonly<Record<string, Check>> = {
  bsonobjectid: matching(/^[0-9a-f]{24}$/i),
  byte: known('byte'),
  cidr: (text) => {
    const [address = '', length = '', ...more] = text.split('/');
    const bits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
    return more.length === 0 && /^\d{1,3}$/.test(length) && Number(length) <= bits;
  },
  date: known('date'),
  'date-time': known('date-time'),
  datetime: known('date-time'),
  duration: isDuration,
  email: known('email'),
  hexcolor: matching(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
  hostname: known('hostname'),
  ip: (text) => isIP(text) !== 0,
  ipv4: isIPv4,
  ipv6: isIPv6,
  mac: matching(/^[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}$/i),
  uri: known('uri'),
  uuid: matching(uuid(hexadecimal)),
  uuid3: matching(uuid('3')),
  uuid4: matching(uuid('4')),
  uuid5: matching(uuid('5')),
};
