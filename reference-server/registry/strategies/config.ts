// ConfigMaps and Secrets: keys, sizes, and the required keys of known Secret types.

import type { Causes } from '../../schema/causes.js';
import { configKey } from '../../schema/formats.js';
import { type DecodedObject, eachField, part, setOwn } from '../../schema/object.js';
import type { Steps } from '../../turns.js';
import type { Strategy } from '../strategy.js';

const mostBytes = 1048576;

type Data = Readonly<Record<string, string>>;

function validateData(data: Data, sizeOf: (value: string) => number, causes: Causes): void {
  let size = 0;
  eachField(data, (key, value) => {
    // A name for each of 100,000 fields would hold up other requests.
    for (const problem of configKey(key)) causes.invalid(`data[${key}]`, key, problem);
    size += sizeOf(value);
  });
  if (size > mostBytes) causes.tooLong('data', mostBytes);
}

export const configMaps: Strategy = {
  validate(configMap, causes) {
    validateData(part<Data>(configMap, 'data'), (value) => Buffer.byteLength(value), causes);
  },
};

/** The required keys by type of Secret. */
const required = new Map<string, readonly string[]>(
  Object.entries({
    'kubernetes.io/dockercfg': ['.dockercfg'],
    'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
    'kubernetes.io/ssh-auth': ['ssh-privatekey'],
    'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  }),
);

/** The text that replaces the value of a Secret in messages. */
const contents = '<secret contents redacted>';

function isJson(base64: string): boolean {
  try {
    JSON.parse(Buffer.from(base64, 'base64').toString());
    return true;
  } catch {
    return false;
  }
}

/** How many fields of `stringData` are encoded in one step. */
const fieldsOfStep = 1000;

/** Moves the fields of `stringData`, which is write-only, to `data`, where clients read them. */
function* mergeStringData(object: DecodedObject): Steps<void> {
  const { stringData, type } = object;
  const data: Record<string, string> = { ...part<Data>(object, 'data') };
  let count = 0;
  for (const key of Object.keys(stringData as Data)) {
    setOwn(data, key, Buffer.from((stringData as Data)[key] as string).toString('base64'));
    count += 1;
    if (count % fieldsOfStep === 0) yield;
  }
  delete object.stringData;
  // In the field order, the type follows the data.
  delete object.type;
  Object.assign(object, { data, type });
}

export const secrets: Strategy = {
  defaults: (object) => (object.stringData === undefined ? undefined : mergeStringData(object)),
  validate(secret, causes) {
    const data = part<Data>(secret, 'data');
    const type = String(secret.type ?? '');
    validateData(data, (value) => Math.floor((value.length * 3) / 4), causes);
    if (type === 'kubernetes.io/service-account-token') {
      const annotation = 'kubernetes.io/service-account.name';
      if (!secret.metadata.annotations?.[annotation]) causes.required(`metadata.annotations[${annotation}]`);
    }
    if (type === 'kubernetes.io/basic-auth' && data.username === undefined && data.password === undefined) {
      causes.required('data[username]');
      causes.required('data[password]');
    }
    for (const key of required.get(type) ?? []) {
      const value = data[key];
      if (value === undefined) causes.required(`data[${key}]`);
      else if (key.startsWith('.docker') && !isJson(value)) causes.invalid(`data[${key}]`, contents, 'must be JSON');
    }
  },
  validateUpdate(next, current, causes) {
    causes.immutable('type', next.type, next.type === current.type);
  },
};
