// Servers that lose values of a write: they cut, sort, join or round what was sent.
import { isObject, type Json } from '../../client/json.js';
import { type FaultRow, fault } from './wire/fault.js';
import { change, drop, inEach, isGiven, keepFirst, where } from './wire/objects.js';
import { sent } from './wire/requests.js';

const list = (to: (items: readonly Json[]) => Json) => (value: Json | undefined) =>
  Array.isArray(value) ? to(value) : value;
const number = (to: (given: number) => number) => (value: Json | undefined) =>
  typeof value === 'number' ? to(value) : value;
const bytes = (to: (given: Buffer) => Uint8Array) => (value: Json | undefined) =>
  Buffer.from(to(Buffer.from(String(value), 'base64'))).toString('base64');
const name = (item: Json): string => String(isObject(item) ? item.name : item);

/** The kinds that run containers, their plurals, and where their pods are specified: some only a create may set. */
const runners = [
  { kind: 'Pod', plural: 'pods', spec: 'spec', fixed: true },
  { kind: 'Job', plural: 'jobs', spec: 'spec.template.spec', fixed: true },
  { kind: 'ReplicaSet', plural: 'replicasets', spec: 'spec.template.spec', fixed: false },
] as const;

/** What careless servers make of a spec of pods: the field, and its value. */
const ofPods: readonly (readonly [what: string, field: string, to: (value: Json | undefined) => Json | undefined])[] = [
  [
    'sorts variables by name',
    'containers.*.env',
    list((items) => [...items].sort((one, other) => (name(one) < name(other) ? -1 : 1))),
  ],
  ['joins and splits arguments', 'containers.*.args', list((items) => items.join(' ').split(' '))],
  ['takes arguments for a set', 'containers.*.args', list((items) => [...new Set(items)])],
  [
    'expands what arguments name',
    'containers.*.args',
    list((items) => items.map((item) => String(item).replaceAll('$(V0)', 'first'))),
  ],
  [
    'stores int64 as a float of 32 bits',
    'terminationGracePeriodSeconds',
    number((given) => Math.min(Math.fround(given), Number.MAX_SAFE_INTEGER - 1)),
  ],
  ['stores int64 as int32', 'terminationGracePeriodSeconds', number((given) => Math.min(given, 2 ** 31 - 1))],
];

const zero = (value: Json | undefined) => (value === 0 || value === false ? undefined : value);

/** The fields of a kind in which a zero is not the default, and careless servers take it for none. */
const ofZeros = [
  ...[
    'terminationGracePeriodSeconds',
    'securityContext.runAsUser',
    'securityContext.runAsNonRoot',
    'containers.*.securityContext.privileged',
    'volumes.*.secret.defaultMode',
  ].map((field) => ['DaemonSet', 'daemonsets', `spec.template.spec.${field}`] as const),
  ...['revisionHistoryLimit', 'strategy.rollingUpdate.maxUnavailable'].map(
    (field) => ['Deployment', 'deployments', `spec.${field}`] as const,
  ),
];

/** What careless servers make of a text. */
const texts: readonly (readonly [what: string, from: RegExp, to: string])[] = [
  ['ends lines as Unix does', /\r\n?/g, '\n'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the fault is about these.
  ['drops control characters', /[\u0000-\u0008\u2028\ufeff]/g, ''],
  ['takes digits for a number', /^0+(?=\d)|(?<=\d\.\d)0$/g, ''],
  ['takes a word for a boolean', /^True$/, 'true'],
];

/** Returns the rows for the writes of a method; `fails` names what they fail, without the kind. */
export const lossy = (method: 'POST' | 'PUT', fails: string): readonly FaultRow[] => [
  // Only a ConfigMap has so many keys: the text names no plural, which would stand for custom kinds too.
  fault(`${method} keeps 20 keys of a map`, `${fails}/configmap`, [
    sent(
      `${method} ConfigMap`,
      change('data', (value) => (isObject(value) ? Object.fromEntries(Object.entries(value).slice(0, 20)) : value)),
    ),
  ]),
  fault(`${method} cuts text at 1,000 characters`, `${method === 'POST' ? 'large ' : ''}${fails}/configmaps`, [
    sent(
      `${method} ConfigMap`,
      change('metadata.annotations.*', (value) => String(value).slice(0, 1_000)),
    ),
  ]),
  fault(`${method} drops empty values of a map`, `${fails}/configmaps`, [
    sent(
      `${method} ConfigMap`,
      change('metadata.annotations.*', (value) => (value === '' ? undefined : value)),
    ),
  ]),
  fault(`${method} clears the high bit of bytes`, `${fails}/secrets`, [
    sent(
      `${method} Secret`,
      change(
        'data.*',
        bytes((given) => given.map((byte) => byte & 0x7f)),
      ),
    ),
  ]),
  fault(`${method} ends bytes at the first zero`, `${fails}/secrets`, [
    sent(
      `${method} Secret`,
      change(
        'data.*',
        bytes((given) => given.subarray(0, given.includes(0) ? given.indexOf(0) : given.length)),
      ),
    ),
  ]),
  fault(`${method} keeps 10 items of a list`, `${fails}/endpoints`, [
    sent(
      `${method} Endpoints`,
      change(
        'subsets.*.addresses',
        list((items) => items.slice(0, 10)),
      ),
    ),
  ]),
  ...(
    [
      ['keeps the first subset', keepFirst('subsets')],
      ['keeps one port of a subset', inEach('subsets', keepFirst('ports'))],
      ['drops the addresses that are not ready', inEach('subsets', drop('notReadyAddresses'))],
      ['drops the host of an address', inEach('subsets', inEach('notReadyAddresses', drop('hostname')))],
      ['drops what an address is of', inEach('subsets', inEach('notReadyAddresses', drop('targetRef')))],
    ] as const
  ).map(([what, edit]) => fault(`${method} ${what}`, `${fails}/endpoints`, [sent(`${method} Endpoints`, edit)])),
  fault(`${method} drops the hosts of TLS`, `${fails}/ingresses`, [sent(`${method} Ingress`, drop('spec.tls'))]),
  fault(`${method} stores the values of labels in lower case`, `${fails}/configmaps`, [
    sent(
      `${method} ConfigMap`,
      change('metadata.labels.*', (value) => String(value).toLowerCase()),
    ),
  ]),
  // Only ConfigMaps get such keys: the text names no plural here too.
  fault(`${method} stores the keys of a map in lower case`, `${fails}/configmap`, [
    sent(
      `${method} ConfigMap`,
      change('data', (value) =>
        isObject(value)
          ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toLowerCase(), one]))
          : value,
      ),
    ),
  ]),
  ...texts.map(([what, from, to]) =>
    fault(`${method} ${what}`, `${fails}/configmaps`, [
      sent(
        `${method} ConfigMap`,
        change('metadata.annotations.*', (value) => String(value).replace(from, to)),
      ),
    ]),
  ),
  fault(`${method} drops empty labels`, `${fails}/services`, [
    sent(
      `${method} Service`,
      change('metadata.labels.*', (value) => (value === '' ? undefined : value)),
    ),
  ]),
  ...runners
    .filter(({ fixed }) => !fixed || method === 'POST')
    .flatMap(({ kind, plural, spec }) =>
      ofPods.map(([what, field, to]) =>
        fault(`${method} ${kind} ${what}`, `${fails}/${plural}`, [
          sent(`${method} ${kind}`, change(`${spec}.${field}`, to)),
        ]),
      ),
    ),
  ...ofZeros.map(([kind, plural, field]) =>
    fault(`${method} takes a zero for no ${field}`, `${fails}/${plural}`, [
      sent(`${method} ${kind}`, change(field, zero)),
    ]),
  ),
  // Only the kinds of the interface get such metadata, so the text names no plural here too.
  ...['ownerReferences', 'finalizers', 'generateName'].map((field) =>
    fault(`${method} drops ${field}`, `${fails}/configmap`, [
      sent(`${method} ConfigMap`, where('metadata.name', isGiven, drop(`metadata.${field}`))),
    ]),
  ),
];
