// The formats of strings in schemas that servers check; others are only words, which definitions with them are told.

import { dns1123Label, dns1123Subdomain, type Format } from '../../schema/formats.js';
import { isDay } from '../../schema/moment.js';
import {
  hasColons,
  isDotted,
  isHardwareAddress,
  isHostname,
  isMailAddress,
  isNetwork,
  isRequestUri,
} from './addressFormats.js';
import type { StructuralSchema } from './structuralSchema.js';

type Check = (text: string) => boolean;

const matching =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);

const hexadecimal = '[0-9a-f]';
const uuid = (version: string, variant = hexadecimal) =>
  new RegExp(
    `^${hexadecimal}{8}-?${hexadecimal}{4}-?${version}${hexadecimal}{3}-?${variant}${hexadecimal}{3}-?${hexadecimal}{12}$`,
    'i',
  );
const variant = '[89ab]';

/** The names of units; those that are words may go on, as in `seconds`. */
const shortUnits = ['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk'];
const longUnits = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];
const isUnit = (unit: string): boolean => shortUnits.includes(unit) || longUnits.some((word) => unit.startsWith(word));
const amounts = /(?<!\d)(\d+)\s*([A-Za-zµ]+)/g;
const plainAmount = /(?:\d{1,18}(?:\.\d*)?|\.\d+)(?:[nuµμm]s|[smh])/y;
/** More digits than this are no number. */
const mostDigits = 18;

/** A duration is what Go prints, or any text with an amount and a unit that are known. */
function isDuration(text: string): boolean {
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0' || isPlain(unsigned)) return true;
  const found = [...text.matchAll(amounts)];
  const isRead = found.every(([, digits = '']) => digits.replace(/^0+/, '').length <= mostDigits);
  return isRead && found.some(([, , unit = '']) => isUnit(unit.toLowerCase()));
}

function isPlain(text: string): boolean {
  let end = 0;
  plainAmount.lastIndex = 0;
  while (plainAmount.test(text)) end = plainAmount.lastIndex;
  return end > 0 && end === text.length;
}

const clockTime = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/;

function isDateTime(text: string): boolean {
  const [day = '', time = '', ...more] = text.toLowerCase().split('t');
  return more.length === 0 && isDay(day) && clockTime.test(time);
}

/** The digits of a number that spaces and dashes may part. */
const bookDigits = (text: string): string => text.replace(/[\s-]/g, '');

function isBook10(text: string): boolean {
  const digits = bookDigits(text);
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isBook13(text: string): boolean {
  const digits = bookDigits(text);
  if (!/^\d{13}$/.test(digits)) return false;
  return [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

const cards =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Whatever is no digit is not read. */
function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (!cards.test(digits)) return false;
  const doubled = (digit: number): number => (digit > 4 ? digit * 2 - 9 : digit * 2);
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + (index % 2 === 0 ? Number(digit) : doubled(Number(digit))), 0);
  return sum % 10 === 0;
}

const byteOfColor = '\\s*(?:0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])\\s*';

const named =
  (rule: Format): Check =>
  (text) =>
    rule(text).length === 0;

/** The checks by name, without dashes. */
const checks: Readonly<Record<string, Check>> = {
  bsonobjectid: matching(/^[0-9a-f]{24}$/i),
  byte: (text) => text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text),
  cidr: isNetwork,
  creditcard: isCard,
  date: isDay,
  datetime: isDateTime,
  duration: isDuration,
  email: isMailAddress,
  hexcolor: matching(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
  hostname: isHostname,
  ipv4: isDotted,
  ipv6: hasColons,
  isbn: (text) => isBook10(text) || isBook13(text),
  isbn10: isBook10,
  isbn13: isBook13,
  k8slongname: named(dns1123Subdomain),
  k8sshortname: named(dns1123Label),
  mac: isHardwareAddress,
  password: () => true,
  rgbcolor: matching(new RegExp(`^rgb\\(${byteOfColor},${byteOfColor},${byteOfColor}\\)$`)),
  ssn: (text) => text.length === 11 && /^\d{3}[- ]\d{2}[- ]\d{4}$/.test(text),
  uri: isRequestUri,
  uuid: matching(uuid(hexadecimal)),
  uuid3: matching(uuid('3')),
  uuid4: matching(uuid('4', variant)),
  uuid5: matching(uuid('5', variant)),
};

/** Returns the check of a format; undefined for one that no server checks. */
export const formatCheck = (format: string): Check | undefined => {
  const name = format.replaceAll('-', '');
  return Object.hasOwn(checks, name) ? checks[name] : undefined;
};

const numberFormats: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/** Returns the format of a node, if servers check it for values of its type. */
export function formatOf(schema: StructuralSchema): string | undefined {
  const { format } = schema;
  if (!format) return undefined;
  const { type = '' } = schema['x-kubernetes-int-or-string'] === true ? {} : schema;
  const isKnown =
    type === '' || type === 'string'
      ? formatCheck(format) !== undefined
      : numberFormats[type]?.includes(format) === true;
  return isKnown ? format : undefined;
}

export const formatNames = Object.keys(checks);
