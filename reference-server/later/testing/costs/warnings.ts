// Costs of warnings: objects that are taken, and of which there is much to say.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import type { KubeObject } from '../../../schema/object.js';
import type { Work } from '../../../testing/costs/growth.js';
import { warningsOf } from '../../groups/growth/warnings/index.js';

const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => item(index));

const pod = (container: object, spec: object = {}) => ({
  spec: { containers: [{ name: 'c', ...container }], ...spec },
});
const volume = (items: ObjectOf<'KeyToPath'>[]) =>
  pod({}, { volumes: [{ name: 'v', secret: { secretName: 's', items } }] });
const encoded = (text: string): string => Buffer.from(text).toString('base64');
const pair = (text: string, key: string) => ({
  type: 'kubernetes.io/tls',
  data: { 'tls.crt': encoded(text), 'tls.key': encoded(key) },
});
const certificate = '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n';

const objects: Readonly<Record<string, readonly [id: string, make: (bytes: number) => object]>> = {
  'the same port': ['core/pods', (bytes) => pod({ ports: many(bytes / 25, () => ({ containerPort: 1 })) })],
  'one port of many hosts': [
    'core/pods',
    (bytes) =>
      pod({ ports: many(bytes / 40, (index) => ({ containerPort: 1, hostPort: index + 1, hostIP: '10.0.0.1' })) }),
  ],
  'the same variable': ['core/pods', (bytes) => pod({ env: many(bytes / 15, () => ({ name: 'a' })) })],
  'other variables': ['core/pods', (bytes) => pod({ env: many(bytes / 20, (index) => ({ name: `a${index}` })) })],
  'other names of hosts': [
    'core/pods',
    (bytes) => pod({}, { hostAliases: many(bytes / 30, (index) => ({ ip: `10.0.${index % 256}.${index}` })) }),
  ],
  'files in one place': ['core/pods', (bytes) => volume(many(bytes / 25, () => ({ key: 'k', path: 'a' })))],
  'files in other places': ['core/pods', (bytes) => volume(many(bytes / 30, (at) => ({ key: 'k', path: `p${at}` })))],
  'a path of slashes': ['core/pods', (bytes) => volume([{ key: 'k', path: `${'/'.repeat(bytes)}a` }])],
  'beginnings of one type': ['core/secrets', (bytes) => pair('-----BEGIN A-----'.repeat(bytes / 17), '')],
  'beginnings before an end': [
    'core/secrets',
    (bytes) => pair(certificate, `${'-----BEGIN A-----'.repeat(bytes / 17)}-----END B-----`),
  ],
  'beginnings of other types': [
    'core/secrets',
    (bytes) => pair(many(bytes / 24, (index) => `-----BEGIN A${index}-----`).join(''), ''),
  ],
};

export const warningWorks: readonly Work[] = Object.entries(objects).map(([name, [id, make]]) => ({
  name: `warnings of ${name}`,
  prepare(bytes) {
    const object = { metadata: { name: 'a' }, ...make(bytes) } as KubeObject;
    return () => (warningsOf(id, 36)?.(object, undefined, 'main') ?? []).join('').length;
  },
}));
