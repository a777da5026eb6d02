// ConfigMaps and Secrets: keys, sizes, and what the known types of a Secret must hold.
import { eachField, part, setOwn } from '../../schema/object.js';
import type { Causes } from '../causes.js';
import { configKey } from '../formats.js';
import type { Strategy } from '../strategy.js';

const mostBytes = 1048576;

type Data = Readonly<Record<string, string>>;

function validateData(data: Data, sizeOf: (value: string) => number, causes: Causes): void {
  let size = 0;
  eachField(data, (key, value) => {
    causes.format(`data[${key}]`, key, configKey);
    size += sizeOf(value);
  });
  if (size > mostBytes) causes.tooLong('data', mostBytes);
}

export const configMaps: Strategy = {
  validate(configMap, causes) {
    validateData(part<Data>(configMap, 'data'), (value) => Buffer.byteLength(value), causes);
  },
};

/** The keys that a type of Secret must hold. */
const required = new Map<string, readonly string[]>(
  Object.entries({
    'kubernetes.io/dockercfg': ['.dockercfg'],
    'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
    'kubernetes.io/ssh-auth': ['ssh-privatekey'],
    'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  }),
);

/** What stands in a message for the value of a Secret. */
const contents = '<secret contents redacted>';

function isJson(base64: string): boolean {
  try {
    JSON.parse(Buffer.from(base64, 'base64').toString());
    return true;
  } catch {
    return false;
  }
}

export const secrets: Strategy = {
  defaults(draft) {
    const { stringData, ...rest } = draft;
    if (stringData === undefined) return;
    const data: Record<string, string> = { ...part<Data>(draft, 'data') };
    eachField(stringData as Data, (key, text) => setOwn(data, key, Buffer.from(text).toString('base64')));
    const { type } = rest;
    // Written only: what a client reads is in `data`. The type comes after it.
    delete draft.stringData;
    delete draft.type;
    Object.assign(draft, { data, type });
  },
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
