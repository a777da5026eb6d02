// Tests target files: each mistake is one sentence with file and line, and what a person writes is what counts.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { featureNames } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { packageRoot } from '../files.js';
import { readTargetFile } from './file.js';

const folder = mkdtempSync(join(tmpdir(), 'target-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'target.yaml');
function read(text: string | Buffer) {
  writeFileSync(file, text);
  return readTargetFile(file);
}

/** Returns the sentence about a wrong file, which is `t` here. */
function sentence(text: string | Buffer): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof UsageError) return error.message.replaceAll(file, 't').replaceAll(folder, '.');
    throw error;
  }
  return 'accepted';
}

const row = (list: string, ...lines: readonly string[]): string =>
  `url: https://a\n${list}:\n  - ${lines.join('\n    ')}\n`;
const deviation = (...lines: readonly string[]): string =>
  row('deviations', 'requirement: create.answer', 'reason: r', ...lines);

describe('a wrong file is refused with', () => {
  it.each([
    // What is not YAML, or not fields.
    ['nothing', '', 't: no fields in it: begin with name: and url:'],
    ['only comments', '# one\n# two\n', 't: no fields in it: begin with name: and url:'],
    ['a list', '# one\n- name: a\n', 't:2: not fields with values: begin with name: and url:'],
    ['a text', 'hello\n', 't:1: not fields with values: begin with name: and url:'],
    [
      'a field that is there twice',
      'name: a\nurl: https://a\n"name": b\n',
      't:3: the field name is there twice: keep one',
    ],
    ['one twice in a row', deviation('reason: s'), 't:5: the field reason is there twice: keep one'],
    [
      'a tab',
      'url: https://a\ndeviations:\n\t- requirement: a\n',
      't:3: the line begins with a tab: indent with spaces',
    ],
    ['a second document', 'url: https://a\n---\nurl: https://b\n', 't:2: a second document begins: keep one'],
    ['an alias', 'url: &here https://a\nname: *here\n', 't:2: *here is an alias: write the value itself'],
    ['an alias of nothing', 'url: https://a\nname: *here\n', 't:2: *here is an alias: write the value itself'],
    [
      'a list as a name',
      'url: https://a\n? [a]\n: b\n',
      't:2: the name of a field is a list or an object: write a name',
    ],
    [
      'a bracket that stays open',
      'name: a\ndeviations: [\n',
      't:2: not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    ['a quote that stays open', 'url: https://a\nname: "a\n', 't:2: not YAML: Missing closing "quote'],
    [
      'a brace that stays open before another field',
      'domains: {secretType: a.b\nurl: https://a\n',
      't:1: not YAML: Flow map in block collection must be sufficiently indented and end with a }',
    ],
    [
      'a field without a colon',
      'url: https://a\nname a\n',
      't:2: not YAML: Implicit map keys need to be followed by map values',
    ],
    ['a tag', 'name: !secret a\n', 't:1: not YAML: Unresolved tag: !secret'],
    ['UTF-16', Buffer.from('\ufeffurl: https://a\n', 'utf16le'), 't: not UTF-8 text: save the file as UTF-8'],

    // Names of fields.
    [
      'a field of another name',
      'url: https://a\ndispossable: true\n',
      't:2: unknown field dispossable; did you mean disposable? Known are name, url, ca, token, kubeconfig, context, ' +
        'namespaceServer, start, stop, fixtures, nodes, images, vendor, domains, disposable, features, aliases, ' +
        'notSupported, deviations, dangerous',
    ],
    [
      'one in an object',
      'url: https://a\ndomains:\n  secretType: a.b\n  authentification: a.b\n',
      't:4: domains: unknown field authentification; did you mean authentication? Known are authentication, secretType',
    ],
    [
      'one in a row',
      deviation('subjects: a'),
      't:5: deviations[0]: unknown field subjects; did you mean subject? Known are requirement, subject, reason, ' +
        'sometimes, link',
    ],
    ['a start without a stop', 'url: https://a\nstart: a\n', 't:2: start: requires stop, which is missing'],
    ['a stop without a start', 'stop: a\n', 't:1: stop: requires start, which is missing'],
    ['fixtures of no start', 'url: https://a\nfixtures: true\n', 't:2: fixtures: requires start, which is missing'],
    ['a context of nothing', 'context: a\nurl: https://a\n', 't:1: context: requires kubeconfig, which is missing'],
    ['a deviation without a reason', row('deviations', 'requirement: a'), 't:3: deviations[0]: reason is missing'],
    ['one without a rule', `${deviation()}  - reason: r\n`, 't:5: deviations[1]: requirement is missing'],
    ['an absence of nothing', row('notSupported', 'reason: r'), 't:3: notSupported[0]: capability is missing'],
    ['a danger without a reason', row('dangerous', 'requirement: a'), 't:3: dangerous[0]: reason is missing'],
    ['no image', 'images: {}\n', 't:1: images: shell is missing'],
    ['a server without a URL', 'namespaceServer: {ca: a}\n', 't:1: namespaceServer: url is missing'],

    // Types.
    ['true as a text', 'url: https://a\ndisposable: "true"\n', 't:2: disposable: must be true or false, not "true"'],
    ['the yes of YAML 1.1', 'disposable: yes\n', 't:1: disposable: must be true or false, not "yes"'],
    ['a number for a switch', 'disposable: 1\n', 't:1: disposable: must be true or false, not 1'],
    ['no value of a switch', 'disposable:\n', 't:1: disposable: must be true or false, not nothing'],
    ['a text for fixtures', 'start: a\nstop: b\nfixtures: a\n', 't:3: fixtures: must be true or false, not "a"'],
    ['a number as a name', 'name: 1.20\n', 't:1: name: must be a text, not 1.20; write it in quotes: "1.20"'],
    ['an empty name', 'name: ""\n', 't:1: name: must be a text, not ""'],
    ['a list as a name', 'name: [a]\n', 't:1: name: must be a text, not a list'],
    [
      'a number as a token, which stays secret',
      'token: 12345\n',
      't:1: token: must be a text; write it in quotes: "…"',
    ],
    ['an object as rows', 'deviations: {}\n', 't:1: deviations: must be a list, not an object'],
    ['a text as a row', 'deviations:\n  - a\n', 't:2: deviations[0]: must be an object with fields, not "a"'],
    ['a text as domains', 'domains: k8s.io\n', 't:1: domains: must be an object with fields, not "k8s.io"'],
    [
      'an object as a subject',
      deviation('subject: {c: d}'),
      't:5: deviations[0].subject: must be a pattern, or a list of them, not an object',
    ],
    [
      'a number among subjects',
      deviation('subject:', '  - a', '  - 7'),
      't:7: deviations[0].subject[1]: must be a text, not 7; write it in quotes: "7"',
    ],
    [
      'no rules',
      row('dangerous', 'requirement: []', 'reason: r'),
      't:3: dangerous[0].requirement: must be the id of a requirement, or a list of them, not an empty list',
    ],
    [
      'a sometimes that is not true',
      deviation('sometimes: often'),
      't:5: deviations[0].sometimes: must be true, or absent, not "often"',
    ],

    // Values.
    [
      'a URL without a scheme',
      'url: a.example\n',
      't:1: url: must be a URL without user name and query, such as https://host:port, not "a.example"',
    ],
    [
      'a URL of another scheme',
      'namespaceServer:\n  url: ftp://a\n',
      't:2: namespaceServer.url: must be a URL without user name and query, such as https://host:port, not "ftp://a"',
    ],
    [
      'a port that is none',
      'url: https://a:99999\n',
      't:1: url: must be a URL without user name and query, such as https://host:port, not "https://a:99999"',
    ],
    ['a CA that is not there', 'url: https://a\nca: none\n', 't:2: ca: cannot read ./none: there is none (ENOENT)'],
    [
      'other nodes',
      'nodes: our\n',
      't:1: nodes: there is no value our; did you mean ours? There are ours, theirs, none',
    ],
    ['nodes that are not text', 'nodes: 1\n', 't:1: nodes: must be ours, theirs, none, not 1'],
    [
      'a vendor with a slash',
      'vendor: a/b\n',
      't:1: vendor: must be a name as in application/vnd.<name>.protobuf, such as kubernetes, not "a/b"',
    ],
    [
      'a domain with a space',
      'domains: {secretType: "a b"}\n',
      't:1: domains.secretType: must be a domain, such as k8s.io, not "a b"',
    ],
    [
      'an image with a space',
      'images:\n  shell: "a b"\n',
      't:2: images.shell: must be an image, such as registry.example/busybox:1.36, not "a b"',
    ],
    ['a word for features', 'features: some\n', 't:1: features: must be all, or a list of features, not "some"'],
    [
      'a link that leads nowhere',
      deviation('link: javascript:x'),
      't:5: deviations[0].link: must be a URL, such as https://host/page, not "javascript:x"',
    ],
    [
      'a capability that is none',
      row('notSupported', 'capability: batch', 'reason: r'),
      't:3: notSupported[0].capability: must be a capability: group:, resource:, operation:, mediaType:, mechanism:, ' +
        'nodes: or feature: and its name, not "batch"',
    ],

    // Names in the tables.
    [
      'an unknown rule',
      row('deviations', 'reason: r', 'requirement: create.anwser'),
      't:4: deviations[0].requirement: there is no requirement create.anwser; did you mean create.answer?',
    ],
    [
      'one in a list',
      row('dangerous', 'reason: r', 'requirement:', '  - create.answer', '  - create.anwser'),
      't:6: dangerous[0].requirement[1]: there is no requirement create.anwser; did you mean create.answer?',
    ],
    [
      'an unknown mechanism',
      row('notSupported', 'capability: mechanism:staticTokn', 'reason: r'),
      't:3: notSupported[0].capability: there is no mechanism staticTokn; did you mean staticToken? There are ' +
        'clientCertificate, staticToken, staticPassword, serviceAccountToken, openidConnect, webhookTokenReview, ' +
        'identityServicePassword',
    ],
    ...(
      [
        ['resource:core/nodez', 'there is no resource core/nodez; did you mean core/nodes?'],
        ['resource:nodes', 'there is no resource nodes; did you mean core/nodes?'],
        ['group:extention', 'there is no group extention; did you mean extensions? There are '],
        ['operation:GET /api/v1/proxi/*', 'there is no operation GET /api/v1/proxi/*; did you mean '],
        ['mediaType:protobuff', 'there is no mediaType protobuff; did you mean protobuf? There are '],
        ['nodes:runing', 'there is no nodes runing; did you mean running? There are running, observed'],
      ] as const
    ).map(([capability, begin]): [string, string, string] => [
      `the capability ${capability}`,
      row('notSupported', `capability: ${capability}`, 'reason: r'),
      `t:3: notSupported[0].capability: ${begin}`,
    ]),
    [
      'an unknown feature',
      row('notSupported', 'capability: feature:limits', 'reason: r'),
      `t:3: notSupported[0].capability: there is no feature limits; did you mean limit? There are ${featureNames.join(', ')}`,
    ],
    [
      'an unknown feature among those that are tested',
      'features:\n  - limit\n  - limits\n',
      `t:3: features[1]: there is no feature limits; did you mean limit? There are ${featureNames.join(', ')}`,
    ],
    [
      'an alias of another version',
      'aliases:\n  extensions/v1:\n    deployments: apps/v1\n',
      't:2: aliases: unknown field extensions/v1; did you mean extensions/v1beta1? Known are v1, autoscaling/v1, ' +
        'batch/v1, extensions/v1beta1, authentication.k8s.io/v1, authentication.k8s.io/v1beta1',
    ],
    [
      'an alias of an unknown resource',
      'aliases:\n  batch/v1:\n    job: batch/v2\n',
      't:3: aliases.batch/v1: unknown field job; did you mean jobs? Known are jobs',
    ],
    [
      'an alias that is not a group version',
      'aliases:\n  batch/v1:\n    jobs: batch\n',
      't:3: aliases.batch/v1.jobs: must be a group and version, such as apps/v1, not "batch"',
    ],
    [
      'an alias of itself',
      'aliases:\n  batch/v1:\n    jobs: batch/v1\n',
      't:3: aliases.batch/v1.jobs: an alias of itself: name another group version',
    ],

    // Of several mistakes, the first line.
    ['two mistakes', 'nodes: 1\nurl: 2\ndisposable: a\n', 't:1: nodes: must be ours, theirs, none, not 1'],
    [
      'a URL and a kubeconfig',
      'url: https://a\nkubeconfig: b\n',
      't:2: kubeconfig: contradicts url, since it has one itself: keep one of them',
    ],
  ])('%s', (_, text, expected) => {
    const found = sentence(text);
    // Some lists of names are long.
    expect(
      /capability: there is no (resource|group|operation|mediaType|nodes) /.test(expected)
        ? found.slice(0, expected.length)
        : found,
    ).toBe(expected);
  });

  it('a file that is not there', () => {
    const none = join(folder, 'none');
    expect(() => readTargetFile(none)).toThrow(`--target: cannot read ${none}: there is none (ENOENT)`);
  });
});

it.each([
  ...['group:extensions', 'group:core', 'resource:core/*', 'resource:*/nodes', 'operation:GET /api/v1/proxy/*'],
  ...['mediaType:protobuf', 'mechanism:*', 'nodes:running', 'feature:garbage-collection'],
  // Kinds that only the server has.
  ...['group:example.com', 'resource:example.com/widgets', 'operation:GET /apis/example.com/v1/widgets'],
])('accepts the absence of %s', (capability) => {
  expect(read(row('notSupported', `capability: "${capability}"`, 'reason: r')).notSupported).toHaveLength(1);
});

it('accepts a byte order mark, as editors on Windows write it, and JSON with its schema', () => {
  expect(read('\ufeffname: a\nurl: https://a\n')).toMatchObject({ name: 'a' });
  const fields = { $schema: 'target.schema.json', name: 'b', url: 'https://[::1]:6443/k8s/c1', deviations: null };
  expect(read(JSON.stringify(fields))).toEqual({
    ...{ name: 'b', url: 'https://[::1]:6443/k8s/c1' },
    ...{ notSupported: [], deviations: [], dangerous: [] },
  });
});

it('knows the line of each declaration, in any YAML style', () => {
  const text = [
    'deviations:',
    '  # notSupported:',
    '  - requirement: create.answer',
    '    subject: "deviations:"',
    '    reason: |',
    '      - one',
    '      - two',
    '  - {requirement: list.kind, reason: r, link: "https://a"}',
    '  -',
    '    reason: r',
    '    requirement: [list.kind, create.answer]',
    'notSupported: [{capability: "group:batch", reason: r},',
    '  {capability: "mechanism:staticToken", reason: r}]',
    'dangerous:',
    '- reason: it ends',
    '  requirement: patch.hostile',
  ];
  const { deviations, notSupported, dangerous } = read(text.join('\n'));
  expect(deviations.map(({ at }) => at)).toEqual([`${file}:3`, `${file}:8`, `${file}:10`]);
  expect(notSupported.map(({ at }) => at)).toEqual([`${file}:12`, `${file}:13`]);
  expect(dangerous).toEqual([{ requirement: 'patch.hostile', reason: 'it ends', at: `${file}:15` }]);
});

it('the schema has the features of the table, and no other text than sentences', () => {
  const schema = JSON.parse(readFileSync(join(packageRoot, 'targets/target.schema.json'), 'utf8'));
  // Commands compile the schema unchecked.
  expect(new Ajv2020().validateSchema(schema)).toBe(true);
  expect(schema.properties.features.items.enum).toEqual(featureNames);
  const described = Object.values<Record<string, string>>(schema.properties).map(({ description }) => description);
  expect(described.filter((text) => !/^[A-Z].*\.$/.test(text ?? ''))).toEqual([]);
});
