// Servers whose answers are of the right kind and not of its form: a field is absent, or of another type.
import { type Json, type JsonObject, merge } from '../../support/json.js';
import { containers, each, inSpec, list, part, showing, template } from './mending.js';
import { answering, eachEvent, type Fault, metadata, without } from './parts.js';

const configMap = 'GET /api/v1/namespaces/{namespace}/configmaps/{name}';
const secretWatch = '› GET /api/v1/watch/namespaces/{namespace}/secrets';
const inJson = ', Accept application/json';
const inYaml = ', Accept application/yaml';

/** Breaks these requirements of answered bodies and no other convention. */
const bodies = (grep: string, requirements: readonly string[], name: string, broken: Partial<Fault>): Fault => ({
  name,
  grep,
  chapters: ['responses'],
  fails: requirements.map((requirement) => `responses.${requirement}`),
  ...broken,
});

/** Changes the text of every answer in YAML. */
const inText =
  (change: (text: string) => string): NonNullable<Fault['reply']> =>
  (returning) =>
    returning.headers['content-type']?.startsWith('application/yaml')
      ? { ...returning, body: change(returning.body) }
      : returning;

const withMetadata = (change: (object: JsonObject) => JsonObject): NonNullable<Fault['reply']> =>
  answering((body) => (body.metadata === undefined ? body : { ...body, metadata: change(metadata(body)) }));

const ports = (change: (port: JsonObject) => JsonObject): NonNullable<Fault['reply']> =>
  showing(
    'Service',
    inSpec((spec) => ({ ...spec, ports: each(spec.ports, change) })),
  );

export const schemaFaults: readonly Fault[] = [
  bodies(configMap + inJson, ['body-fields'], 'does not name what it answers', {
    reply: withMetadata((object) => without(object, 'name')),
  }),
  bodies(configMap + inJson, ['body-fields'], 'does not say the namespace of what it answers', {
    reply: withMetadata((object) => without(object, 'namespace')),
  }),
  bodies(
    `GET /apis/extensions/v1beta1/namespaces/{namespace}/deployments/{name}${inJson}`,
    ['body-fields'],
    'leaves the images of a Deployment out',
    {
      reply: showing('Deployment', template(containers((container) => without(container, 'image')))),
    },
  ),
  bodies(
    `GET /api/v1/namespaces/{namespace}/secrets${inJson}`,
    ['body-fields', 'body-schema'],
    'lists the values of Secrets as plain text',
    {
      reply: showing('SecretList', (body) => ({
        ...body,
        items: list(body.items).map((item) => ({ ...item, data: { some: 'plain text' } })),
      })),
    },
  ),
  bodies(configMap + inJson, ['body-schema'], 'writes the time of creation as a number', {
    reply: withMetadata((object) => ({ ...object, creationTimestamp: Date.parse(String(object.creationTimestamp)) })),
  }),
  bodies(`GET /api/v1/namespaces/{namespace}/services/{name}${inJson}`, ['body-schema'], 'writes ports as strings', {
    reply: ports((port) => ({ ...port, port: String(port.port) })),
  }),
  bodies(
    `GET /api/v1/namespaces/{namespace}/services/{name}${inJson}`,
    ['body-schema'],
    'writes protocols in lower case',
    {
      reply: ports((port) => ({ ...port, protocol: String(port.protocol).toLowerCase() })),
    },
  ),
  bodies(
    `GET /api/v1/namespaces/{namespace}/pods/{name}${inJson}`,
    ['body-schema'],
    'forgets the names of containers',
    {
      reply: showing(
        'Pod',
        containers((container) => without(container, 'name')),
      ),
    },
  ),
  bodies(configMap + inYaml, ['body-schema'], 'writes yes in YAML without quotes', {
    reply: inText((text) => text.replace('metadata:\n', 'metadata:\n  annotations: {some: yes}\n')),
  }),
  bodies(configMap + inYaml, ['body-decodes', 'body-fields', 'body-kind', 'body-schema'], 'says a key of YAML twice', {
    reply: inText((text) => `${text}kind: ConfigMap\n`),
  }),
  {
    name: 'leaves the namespace out of events',
    grep: `watch.event-fields ${secretWatch}`,
    chapters: ['watch'],
    fails: ['watch.event-fields'],
    watch: eachEvent(({ type, object }) => ({
      type,
      object: { ...object, metadata: without(metadata(object), 'namespace') },
    })),
  },
  {
    name: 'tells labels in events as a list',
    grep: `watch.event-schema ${secretWatch}`,
    chapters: ['watch'],
    fails: ['watch.event-schema'],
    watch: eachEvent(({ type, object }) => ({
      type,
      object: merge(object, { metadata: { labels: Object.keys(part(metadata(object).labels as Json)) } }),
    })),
  },
  {
    name: 'says in words when to try again',
    grep: 'errors.status-schema › POST /api/v1/namespaces/{namespace}/configmaps',
    chapters: ['errors'],
    fails: ['errors.status-schema'],
    reply: (returning) => {
      if (returning.status < 400) return returning;
      const body = JSON.parse(returning.body) as JsonObject;
      return { ...returning, body: JSON.stringify(merge(body, { details: { retryAfterSeconds: 'soon' } })) };
    },
  },
];
