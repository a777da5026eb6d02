// The formats of names and of values, which rules can ask for by name.
import { dns1035Label, dns1123Label, dns1123Subdomain, type Format, qualifiedName } from '../../../schema/formats.js';
import { List, Opaque, Optional, type Value } from '../values.js';
import { parseTimestamp } from './conversions.js';
import { define, type Overload, readCost } from './define.js';

class NamedFormat extends Opaque {
  readonly typeName = 'kubernetes.NamedFormat';

  constructor(
    readonly name: string,
    readonly check: Format,
  ) {
    super();
  }

  equals(other: NamedFormat): boolean {
    return this.name === other.name;
  }
}

/** A name that ends with `-` is a prefix of generated names: what follows makes it valid. */
const prefixOf =
  (format: Format): Format =>
  (text) =>
    format(text.replace(/-$/, 'a'));

const matching =
  (form: RegExp, message: string, longest = Number.POSITIVE_INFINITY): Format =>
  (text) =>
    text.length <= longest && form.test(text) ? [] : [message];

const labelValue = matching(
  /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/,
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  63,
);

const isUri = (text: string): boolean => /^([A-Za-z][A-Za-z0-9+.-]*:|\/)\S*$/.test(text);
const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && parseTimestamp(`${text}T00:00:00Z`) !== undefined;
const isMoment = (text: string): boolean => parseTimestamp(text) !== undefined;
const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

const tested =
  (test: (text: string) => boolean, message: string): Format =>
  (text) =>
    test(text) ? [] : [message];

const formats: Readonly<Record<string, Format>> = {
  dns1123Label,
  dns1123Subdomain,
  dns1035Label,
  qualifiedName,
  dns1123LabelPrefix: prefixOf(dns1123Label),
  dns1123SubdomainPrefix: prefixOf(dns1123Subdomain),
  dns1035LabelPrefix: prefixOf(dns1035Label),
  labelValue,
  uri: tested(isUri, 'invalid URI for request'),
  uuid: matching(
    /^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$/,
    'does not match the UUID format',
  ),
  byte: tested(isBase64, 'invalid base64'),
  date: tested(isDay, 'invalid date'),
  datetime: tested(isMoment, 'invalid datetime'),
};

const made = new Map(Object.entries(formats).map(([name, check]) => [name, new NamedFormat(name, check)]));
const type = 'kubernetes.NamedFormat';

function validate({ check }: NamedFormat, text: string): Value {
  const problems = check(text);
  return problems.length === 0 ? new Optional() : new Optional(new List([...problems]));
}

export const names: readonly Overload[] = [
  ...[...made].map(([name, format]) => define(`format.${name}(): ${type}`, () => format)),
  define<[string]>(`format.named(string): optional(${type})`, (name) => new Optional(made.get(name))),
  define<[NamedFormat, string]>(`(${type}).validate(string): optional(list(string))`, validate, (_format, size) =>
    readCost(size ?? 0),
  ),
];
