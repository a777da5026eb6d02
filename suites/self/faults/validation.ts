// Servers that take what is invalid, or refuse what is not.
import { at, merge } from '../../support/json.js';
import { bodyOf, containers, inSpec, list, mending, part, showing, template } from './mending.js';
import { asking, type Fault, failure, metadata, reply, without } from './parts.js';

const invalid = 'validation.invalid';

export const validationFaults: readonly Fault[] = [
  {
    name: 'calls what is invalid a bad request',
    grep: invalid,
    fails: ['validation.invalid', 'validation.invalid-update'],
    reply: (returning) => (returning.status === 422 ? { ...returning, status: 400 } : returning),
  },
  {
    name: 'does not say which field is invalid',
    grep: invalid,
    fails: ['validation.invalid-causes', 'validation.invalid-update'],
    reply: (returning) => {
      if (returning.status !== 422) return returning;
      return reply(422, without(part(JSON.parse(returning.body)), 'details'));
    },
  },
  {
    name: 'keeps what it refused',
    grep: invalid,
    fails: ['validation.invalid-changes-nothing'],
    reply: (returning, { method }) =>
      method === 'GET' && returning.status === 404 ? reply(200, { metadata: {} }) : returning,
  },
  {
    name: 'takes a list of labels for none',
    grep: 'validation.wrong-type',
    fails: ['validation.wrong-type'],
    request: asking('POST', (body) =>
      Array.isArray(metadata(body).labels) ? { ...body, metadata: without(metadata(body), 'labels') } : body,
    ),
  },
  {
    name: 'refuses the fields that it does not know',
    grep: 'validation.unknown-field',
    fails: ['validation.unknown-field'],
    request: (passing) => (passing.body.includes('noSuchField') ? failure(400, 'BadRequest') : passing),
  },
  {
    name: 'keeps the fields that it does not know',
    grep: 'validation.unknown-field',
    fails: ['validation.unknown-field'],
    reply: showing('ConfigMap', (body) => ({ ...body, noSuchField: 'some' })),
  },
  {
    name: 'takes names of 63 characters at most',
    grep: 'validation.names',
    fails: ['validation.names'],
    request: (passing) => (String(metadata(bodyOf(passing)).name).length > 63 ? failure(422, 'Invalid') : passing),
  },
  {
    name: 'writes names in lower case',
    grep: 'validation.names',
    fails: ['validation.names'],
    request: asking('POST', (body) => merge(body, { metadata: { name: String(metadata(body).name).toLowerCase() } })),
  },
  {
    name: 'drops labels that cannot be',
    grep: 'validation.labels',
    fails: ['validation.labels'],
    request: asking('POST', (body) => {
      const kept = Object.entries(part(metadata(body).labels)).filter(([key]) => !key.includes(' '));
      return { ...body, metadata: { ...metadata(body), labels: Object.fromEntries(kept) } };
    }),
  },
  {
    name: 'has an image for those who name none',
    grep: 'validation.required',
    fails: ['validation.required'],
    request: mending(
      'Pod',
      containers((container) => ({ image: 'registry.example/other', ...container })),
    ),
  },
  {
    name: 'takes the first of two ports of one name',
    grep: 'validation.duplicates',
    fails: ['validation.duplicates'],
    request: mending(
      'Service',
      inSpec((spec) => ({ ...spec, ports: list(spec.ports).slice(0, 1) })),
    ),
  },
  {
    name: 'labels the template as the selector wants it',
    grep: 'validation.selector-template',
    fails: ['validation.selector-template'],
    request: mending('Deployment', (body) =>
      template((given) => ({ ...given, metadata: { labels: at(body, 'spec', 'selector', 'matchLabels') } }))(body),
    ),
  },
  {
    name: 'lets a job end in its own way',
    grep: 'validation.job-restart-policy',
    fails: ['validation.job-restart-policy'],
    request: mending(
      'Job',
      template((given) => merge(given, { spec: { restartPolicy: 'Never' } })),
    ),
  },
  {
    name: 'forgets probes',
    grep: 'validation.probes',
    fails: ['validation.probes'],
    request: mending(
      'Pod',
      containers((container) => without(container, 'livenessProbe', 'readinessProbe')),
    ),
  },
  {
    name: 'forgets mounts',
    grep: 'validation.volumes',
    fails: ['validation.volumes'],
    request: mending(
      'Pod',
      containers((container) => without(container, 'volumeMounts')),
    ),
  },
  {
    name: 'has a backend for everything',
    grep: 'validation.ingress-backend',
    fails: ['validation.ingress-backend'],
    request: mending(
      'Ingress',
      inSpec((spec) => ({ ...spec, backend: { serviceName: 'some', servicePort: 80 } })),
    ),
  },
  {
    name: 'takes events of every namespace',
    grep: 'validation.event-namespace',
    fails: ['validation.event-namespace'],
    request: mending('Event', (body) => merge(body, { involvedObject: { namespace: metadata(body).namespace } })),
  },
  {
    name: 'finds a group for every name',
    grep: 'validation.third-party-name',
    fails: ['validation.third-party-name'],
    request: mending('ThirdPartyResource', (body) =>
      merge(body, { metadata: { name: `${metadata(body).name}.example.com` } }),
    ),
  },
  {
    name: 'takes ports in 16 bits',
    grep: 'validation.service-ports',
    fails: ['validation.service-ports'],
    request: mending('Endpoints', (body) =>
      merge(body, { subsets: [{ addresses: [{ ip: '192.0.2.10' }], ports: [{ port: 1 }] }] }),
    ),
  },
];
