// The formats of names, keys and values, each with its error messages.

/** Returns the mistakes of a text, or an empty list. */
export type Format = (text: string) => readonly string[];

/** The shared result for valid text, which is the usual case. */
const nothing: readonly string[] = [];

const example = (rule: string, examples: string, regex: string): string =>
  `${rule} (e.g. ${examples}, regex used for validation is '${regex}')`;

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

function format(regex: string, message: string, longest?: number, unit?: 'bytes'): Format {
  const whole = new RegExp(`^(?:${regex})$`);
  return (text) => {
    const isTooLong = longest !== undefined && text.length > longest;
    const matches = whole.test(text);
    if (matches && !isTooLong) return nothing;
    return [...(isTooLong ? [tooLong(longest, unit)] : []), ...(matches ? [] : [message])];
  };
}

/** What labels are made of counts bytes, and other names characters: real servers say so. */
const tooLong = (longest: number, unit: 'bytes' | 'characters' = 'characters'): string =>
  `must be no more than ${longest} ${unit}`;

const labelFormat = format(
  label,
  example(
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    "'my-name',  or '123-abc'",
    label,
  ),
  63,
);
const dotted = new RegExp(`^${subdomain}$`);

export const dns1123Label: Format = (text) => {
  const problems = labelFormat(text);
  if (problems === nothing || !text.includes('.') || !dotted.test(text)) return problems;
  return [...problems.slice(0, -1), 'must not contain dots'];
};

const subdomainFormat = (unit?: 'bytes'): Format =>
  format(
    subdomain,
    example(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
      "'example.com'",
      subdomain,
    ),
    253,
    unit,
  );

export const dns1123Subdomain = subdomainFormat();

const wildcardSubdomain = format(
  `\\*\\.${subdomain}`,
  example(
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    "'*.example.com'",
    `\\*\\.${subdomain}`,
  ),
  253,
);

/** The name of a host, or of all hosts of a domain. */
export const hostPattern: Format = (text) => (text.includes('*') ? wildcardSubdomain : dns1123Subdomain)(text);

const prefixPart = subdomainFormat('bytes');

export const dns1035Label = format(
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  example(
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    "'my-name',  or 'abc-123'",
    '[a-z]([-a-z0-9]*[a-z0-9])?',
  ),
  63,
);

const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const namePart = example(nameRule, "'MyName',  or 'my.name',  or '123-abc'", qualified);
const nameFormat = format(qualified, `name part ${namePart}`);

/** A name with an optional DNS subdomain before a slash: keys of labels and annotations, finalizers. */
export const qualifiedName: Format = (text) => {
  if (text.length <= 63 && nameFormat(text) === nothing) return nothing;
  const parts = text.split('/');
  if (parts.length > 2) {
    return [`a valid label key ${namePart} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined;
  return [
    ...(prefix === '' ? ['prefix part must be non-empty'] : []),
    ...(prefix ? prefixPart(prefix).map((message) => `prefix part ${message}`) : []),
    ...(name === '' ? ['name part must be non-empty'] : []),
    ...(name.length > 63 ? [`name part ${tooLong(63, 'bytes')}`] : []),
    ...nameFormat(name),
  ];
};

export const labelValue = format(
  `(${qualified})?`,
  example(
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    "'MyValue',  or 'my_value',  or '12345'",
    `(${qualified})?`,
  ),
  63,
  'bytes',
);

/** A key of a ConfigMap or Secret, which is also a file name. */
export const configKey: Format = (text) => {
  if (text === '.' || text === '..') return [`must not be '${text}'`];
  return [...(text.startsWith('..') ? ["must not start with '..'"] : []), ...configKeyFormat(text)];
};

const configKeyFormat = format(
  '[-._a-zA-Z0-9]+',
  example(
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    "'key.name',  or 'KEY_NAME',  or 'key-name'",
    '[-._a-zA-Z0-9]+',
  ),
  253,
);

export const envVarName = format(
  '[-._a-zA-Z][-._a-zA-Z0-9]*',
  example(
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
    "'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1'",
    '[-._a-zA-Z][-._a-zA-Z0-9]*',
  ),
);

/** The name of a port in services and probes. */
export const portName: Format = (text) => [
  ...(text.length > 15 ? ['must be no more than 15 characters'] : []),
  ...(/^[-a-z0-9]+$/.test(text) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
  ...(/[a-z]/.test(text) ? [] : ['must contain at least one letter (a-z)']),
  ...(text.includes('--') ? ['must not contain consecutive hyphens'] : []),
  ...(/^-|-$/.test(text) ? ['must not begin or end with a hyphen'] : []),
];

export const pathSegment: Format = (text) => {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%'].filter((illegal) => text.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);
};
