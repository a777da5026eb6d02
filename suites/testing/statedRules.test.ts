// Every rule that the document states for an operation has a case whose check detects a violation.
import { describe, expect, it } from 'vitest';
import { mediaTypes, type Operation, parameterSets, statedOperations } from '../../matrix/api/index.js';
import { allCases } from '../requirements/index.js';

/** Requirements by parameter: for each operation that states the parameter, one of them has a case. */
const byParameter: Readonly<Record<string, readonly string[]>> = {
  pretty: ['parameters.pretty-true', 'parameters.pretty-watch', 'log.pretty'],
  labelSelector: [
    'selectors.labels',
    'selectors.component-statuses',
    'selectors.delete-collection-labels',
    'selectors.watch-one-labels',
    'watch.filtered-labels',
  ],
  fieldSelector: [
    'selectors.fields',
    'selectors.component-statuses',
    'selectors.delete-collection-fields',
    'selectors.watch-one-fields',
    'watch.filtered-fields',
  ],
  watch: [
    'watch.list-form',
    'watch.prefix-form',
    'parameters.delete-collection-never-watches',
    'parameters.component-statuses',
  ],
  resourceVersion: ['watch.every-write', 'parameters.delete-collection-never-watches', 'parameters.component-statuses'],
  timeoutSeconds: ['watch.bounded', 'parameters.delete-collection-never-watches', 'parameters.component-statuses'],
  export: ['parameters.export-strips-identity'],
  exact: ['parameters.export-keeps'],
  container: ['connect.attach-container', 'connect.exec-container', 'log.container'],
  command: ['connect.exec-command'],
  stdin: ['connect.attach-stdin', 'connect.exec-stdin'],
  stdout: ['connect.attach-stdout-off', 'connect.exec-stdout-off'],
  stderr: ['connect.attach-stderr-off', 'connect.exec-stderr-off'],
  tty: ['connect.attach-tty', 'connect.exec-tty'],
  follow: ['log.follow'],
  previous: ['log.previous'],
  sinceSeconds: ['log.since-seconds'],
  sinceTime: ['log.since-time'],
  timestamps: ['log.timestamps'],
  tailLines: ['log.tail-lines'],
  limitBytes: ['log.limit-bytes'],
  path: ['proxy.path-query', 'proxy.pod', 'proxy.service', 'proxy.node'],
};

const proxies = [
  'proxy.pod',
  'proxy.service',
  'proxy.node',
  'proxy.legacy-pod',
  'proxy.legacy-service',
  'proxy.legacy-node',
];

const byPathParameter: Readonly<Record<string, readonly string[]>> = {
  '{namespace}': [
    'parameters.namespace-selects',
    'list.scope',
    'watch.scope',
    'create.effect-read',
    'deleteCollection.spares-other-namespaces',
    'subresources.binding',
    'connect.success',
    'log.content',
    ...proxies,
  ],
  '{name}': [
    'parameters.name-selects',
    'watch.scope',
    'list.component-statuses',
    'connect.success',
    'log.content',
    ...proxies,
  ],
  '{path}': ['proxy.path'],
};

const byBody: Readonly<Record<Operation['body'], readonly string[]>> = {
  object: ['errors.missing-body'],
  patch: ['errors.missing-patch'],
  options: ['deleteOptions.options'],
  none: [],
};

/** The media types of the cases, by the ids of their requirement and their operation. */
const cases = new Map<string, Set<string | undefined>>();
for (const { requirement, subject } of allCases()) {
  const key = `${requirement.id} ${subject.operation?.id}`;
  const types = cases.get(key) ?? new Set();
  types.add(subject.mediaType);
  cases.set(key, types);
}

const isTried = ({ id }: Operation, requirements: readonly string[]): boolean =>
  requirements.some((requirement) => cases.has(`${requirement} ${id}`));

const untried = (of: readonly Operation[], requirements: readonly string[]): string[] =>
  of.filter((operation) => !isTried(operation, requirements)).map(({ id }) => id);

const stating = (parameter: string): Operation[] =>
  statedOperations.filter(({ query }) => parameter in parameterSets[query]);

/** Reports whether a case covers a response or a body of a media type, by requirements whose subjects name the type. */
const inType = ({ id }: Operation, type: string, requirements: readonly string[]): boolean =>
  requirements.some((requirement) => cases.get(`${requirement} ${id}`)?.has(type));

describe('every operation that the document states has a case of', () => {
  const parameters = [...new Set(Object.values(parameterSets).flatMap((set) => Object.keys(set)))];
  it.each(parameters)('the parameter %s', (parameter) => {
    expect(untried(stating(parameter), byParameter[parameter] ?? [])).toEqual([]);
  });

  it.each(Object.entries(byPathParameter))('the path parameter %s', (parameter, requirements) => {
    const of = statedOperations.filter(({ path }) => path.includes(parameter));
    expect(untried(of, requirements)).toEqual([]);
  });

  it.each(Object.entries(byBody).filter(([body]) => body !== 'none'))('its required body, %s', (body, requirements) => {
    const of = statedOperations.filter((operation) => operation.body === body && operation.requestTypes.length > 0);
    expect(untried(of, requirements)).toEqual([]);
  });

  it('its success', () => {
    const successes = ['responses.status', 'watch.status', 'connect.success', 'log.media-type', ...proxies];
    expect(untried(statedOperations, successes)).toEqual([]);
  });

  it('each type of its body', () => {
    const lacking = statedOperations.flatMap(({ id, body, verb, groupVersion }) => {
      if (body === 'none') return [];
      const operation = { id } as Operation;
      if (body === 'patch') {
        const types = ['jsonPatch', 'mergePatch', 'strategicMergePatch'];
        return types.filter((type) => !inType(operation, type, ['patch.effect-read'])).map((type) => `${id}: ${type}`);
      }
      const types = groupVersion.group === '' || verb === 'discover' ? ['json', 'yaml'] : ['json', 'yaml', 'protobuf'];
      return types
        .filter((type) => !inType(operation, type, ['responses.request-type']))
        .map((type) => `${id}: ${type}`);
    });
    expect(lacking).toEqual([]);
  });

  it('each type of its response', () => {
    const watches: Readonly<Record<string, readonly string[]>> = {
      json: ['watch.core-type', 'watch.group-type'],
      jsonWatch: ['watch.group-stream-type'],
      protobuf: ['protobuf.watch'],
      protobufWatch: ['protobuf.watch-stream'],
    };
    const lacking = statedOperations.flatMap((operation) => {
      const { id, responseTypes, verb } = operation;
      if (responseTypes === 'any')
        return isTried(operation, ['connect.any-type', 'log.media-type', ...proxies]) ? [] : [id];
      return responseTypes
        .filter((type) =>
          verb.startsWith('watch')
            ? !isTried(operation, watches[type] ?? [])
            : !inType(operation, type, ['responses.media-type']),
        )
        .map((type) => `${id}: ${mediaTypes[type]}`);
    });
    expect(lacking).toEqual([]);
  });
});
