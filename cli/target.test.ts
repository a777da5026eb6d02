// Tests that each error in the user's input is reported in one line that says what to do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { resolveTarget } from './target.js';
import { UsageError } from './usageError.js';

const folder = mkdtempSync(join(tmpdir(), 'target-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const ca = file('ca.crt', 'an authority');
const kubeconfig = (user: string): string =>
  `current-context: a\ncontexts: [{name: a, context: {cluster: c, user: u}}]\n` +
  `clusters: [{name: c, cluster: {server: "https://127.0.0.1:1/", certificate-authority: ca.crt}}]\n` +
  `users: [{name: u, user: ${user}}]\n`;

describe('resolveTarget', () => {
  it('accepts url, ca and token', () => {
    const target = resolveTarget({ url: 'https://127.0.0.1:6443/', ca, token: 't' });
    expect(target).toMatchObject({
      url: 'https://127.0.0.1:6443',
      ca: 'an authority',
      credentials: { staticToken: { token: 't' } },
      disposable: false,
    });
  });

  it('reads the token of a file, without the final newline', () => {
    const target = resolveTarget({ url: 'https://127.0.0.1:6443', tokenFile: file('token', 'of-a-file\n') });
    expect(target.credentials).toEqual({ staticToken: { token: 'of-a-file' } });
  });

  it('prefers the token of a file to the credentials of a kubeconfig', () => {
    const given = {
      kubeconfig: file('config', kubeconfig('{token: of-the-kubeconfig}')),
      tokenFile: file('token', 'own'),
    };
    expect(resolveTarget(given).credentials).toEqual({ staticToken: { token: 'own' } });
  });

  it.each([
    ['an empty file', { tokenFile: file('empty-token', ' \n') }, /^--token-file: .*empty-token is empty$/],
    ['no file', { tokenFile: join(folder, 'none') }, /^--token-file: cannot read .*none: ENOENT$/],
    ['two tokens', { token: 't', tokenFile: file('token', 't') }, /^--token and --token-file contradict each other/],
  ])('refuses the token of %s', (_, given, sentence) => {
    expect(() => resolveTarget({ url: 'https://127.0.0.1:6443', ...given })).toThrow(sentence);
  });

  it('accepts a kubeconfig with files and with inline data', () => {
    const inline = Buffer.from('PEM').toString('base64');
    const user = `{client-certificate-data: ${inline}, client-key-data: ${inline}}`;
    const target = resolveTarget({ kubeconfig: file('config', kubeconfig(user)) });
    expect(target).toMatchObject({
      url: 'https://127.0.0.1:1',
      ca: 'an authority',
      credentials: { clientCertificate: { certificate: 'PEM', key: 'PEM' } },
    });
  });

  it('accepts the server that keeps the namespaces, from a target file or from options', () => {
    const target = file('aggregated.yaml', 'url: https://a\nnamespaceServer: {url: "https://b/", ca: ca.crt}\n');
    const namespaceServer = { url: 'https://b', ca: 'an authority' };
    expect(resolveTarget({ target })).toMatchObject({ namespaceServer });
    expect(resolveTarget({ target, namespaceServer: 'https://c' })).toMatchObject({
      namespaceServer: { url: 'https://c' },
    });
    const given = { url: 'https://a', namespaceServer: 'https://b', namespaceServerCa: ca };
    expect(resolveTarget(given)).toMatchObject({ namespaceServer });
  });

  it('accepts a target file; options override it; a managed target is disposable', () => {
    const text =
      'name: n\nstart: a\nstop: b\nfixtures: true\nnodes: ours\ndeviations: [{requirement: a.b, reason: r}]\n';
    const path = file('target.yaml', text);
    expect(resolveTarget({ target: path })).toMatchObject({
      name: 'n',
      disposable: true,
      lifecycle: { start: 'a', stop: 'b', fixtures: true },
      nodes: 'ours',
    });
    const rows = file('dangerous.yaml', `${text}dangerous:\n  - requirement: c.d\n    reason: it ends\n`);
    const dangerous = [{ requirement: 'c.d', reason: 'it ends', at: `${rows}:8` }];
    expect(resolveTarget({ target: rows })).toMatchObject({ dangerous });
    const overridden = resolveTarget({ target: path, url: 'https://127.0.0.1:1' });
    expect(overridden.lifecycle).toBeUndefined();
    expect(overridden.deviations).toEqual([{ requirement: 'a.b', reason: 'r', at: `${path}:6` }]);
  });

  it('knows the line of each declaration, in any YAML style', () => {
    const text = [
      'deviations:',
      '  # notSupported:',
      '  - requirement: a.b',
      '    subject: "deviations:"',
      '    reason: |',
      '      - one',
      '      - two',
      '  - {requirement: a.c, reason: r, link: "https://a"}',
      '  -',
      '    reason: r',
      '    requirement: a.d',
      'notSupported: [{capability: "group:a", reason: r},',
      '  {capability: "mechanism:staticToken", reason: r}]',
    ];
    const path = file('lines.yaml', text.join('\n'));
    const { deviations, notSupported } = resolveTarget({ target: path, url: 'https://a' });
    expect(deviations.map(({ at }) => at)).toEqual([`${path}:3`, `${path}:8`, `${path}:10`]);
    expect(deviations[1]?.link).toBe('https://a');
    expect(notSupported.map(({ at }) => at)).toEqual([`${path}:12`, `${path}:13`]);
  });

  it('accepts the vendor and domains of a target file, and a kubeconfig', () => {
    file('beside', kubeconfig('{token: t}'));
    const text =
      'kubeconfig: beside\ncontext: a\nvendor: example\ndomains: {authentication: example.org}\n' +
      'images: {shell: registry.example/busybox}\n' +
      'aliases: {extensions/v1beta1: {deployments: apps/v1, ingresses: networking.k8s.io/v1}}\n';
    expect(resolveTarget({ target: file('names.yaml', text) })).toMatchObject({
      url: 'https://127.0.0.1:1',
      credentials: { staticToken: { token: 't' } },
      vendor: 'example',
      domains: { authentication: 'example.org', secretType: 'kubernetes.io' },
      images: { shell: 'registry.example/busybox' },
      aliases: [
        { groupVersion: 'extensions/v1beta1', resource: 'deployments', to: 'apps/v1' },
        { groupVersion: 'extensions/v1beta1', resource: 'ingresses', to: 'networking.k8s.io/v1' },
      ],
    });
  });

  it.each([
    ['vendor: 1', /vendor: give the name in application/],
    ['vendor: a/b', /vendor: give the name in application/],
    ['domains: k8s.io', /domains: must be an object with authentication, secretType/],
    ['domains: {secret: a}', /domains: unknown field secret; did you mean secretType\? Known are authentication/],
    ['domains: {secretType: "a b"}', /secretType: give a domain/],
    ['images: {}', /images: shell: give an image/],
    ['aliases: {apps/v1: {deployments: v1}}', /aliases: unknown field apps\/v1; .*nown are .*extensions\/v1beta1/],
    ['aliases: {extensions/v1beta1: {pods: v1}}', /extensions\/v1beta1: unknown field pods; .*nown are .*ingresses/],
    ['aliases: {extensions/v1beta1: {ingresses: networking}}', /ingresses: give a group and version, such as apps/],
    ['aliases: {extensions/v1beta1: {ingresses: extensions/v1beta1}}', /ingresses is an alias of itself/],
    ['aliases: [a]', /aliases: must be an object/],
    ['deviations: [{requirement: a, reason: b, sometimes: often}]', /deviations\[0\]: sometimes is true or absent/],
    ['context: a', /context requires kubeconfig/],
    ['namespaceServer: https://a', /namespaceServer: must be an object with url, ca/],
    ['namespaceServer: {ca: ca.crt}', /namespaceServer: url is missing/],
    ['namespaceServer: {url: a}', /namespaceServer: url: a is not a URL/],
    ['namespaceServer: {url: "https://a", ca: none}', /namespaceServer: ca: cannot read .*none: ENOENT/],
  ])('refuses a target file with %s', (line, message) => {
    const target = file('wrong.yaml', `url: https://a\n${line}\n`);
    expect(() => resolveTarget({ target })).toThrow(UsageError);
    expect(() => resolveTarget({ target })).toThrow(message);
  });

  it.each([
    ['nothing', {}, /give --url .* --kubeconfig .* --target/],
    ['no URL', { url: 'not a url' }, /https:\/\/host:port/],
    ['strange nodes', { target: file('nodes.yaml', 'url: https://a\nnodes: some') }, /nodes is ours, theirs or none/],
    ['another scheme', { url: 'ftp://a' }, /not http/],
    ['a missing file', { url: 'https://a', ca: join(folder, 'nosuch') }, /--ca: cannot read .*ENOENT/],
    ['a certificate without its key', { url: 'https://a', clientCertificate: ca }, /go together/],
    ['no context', { kubeconfig: file('empty', 'kind: Config\n') }, /no current-context/],
    ['a context that is not there', { kubeconfig: file('ok', kubeconfig('{}')), context: 'z' }, /contexts has no z/],
    ['no YAML', { target: file('bad', 'a: [') }, /not YAML/],
    [
      'an unknown field',
      { target: file('odd', 'url: https://a\nurll: b\n') },
      /unknown field urll; did you mean url\?/,
    ],
    [
      'a deviation without a reason',
      { target: file('dev', 'url: https://a\ndeviations: [{requirement: a}]') },
      /reason is missing/,
    ],
    [
      'a subject that is no text',
      { target: file('subject', 'url: https://a\ndeviations: [{requirement: a, reason: b, subject: {c: d}}]') },
      /deviations\[0\]: subject: must be a string/,
    ],
    [
      'a link that leads nowhere',
      { target: file('link', 'url: https://a\ndeviations: [{requirement: a, reason: b, link: "javascript:x"}]') },
      /deviations\[0\]: link: write it as https:/,
    ],
    [
      'a capability that is none',
      { target: file('capability', 'url: https://a\nnotSupported: [{capability: batch, reason: b}]') },
      /notSupported\[0\]: batch is not a capability; write group:/,
    ],
    [
      'a mechanism that is none',
      { target: file('mechanism', 'url: https://a\nnotSupported: [{capability: "mechanism:staticTokn", reason: b}]') },
      /notSupported\[0\]: there is no mechanism staticTokn; did you mean staticToken\? There are clientCertificate, /,
    ],
    ['fixtures that are no yes or no', { target: file('fix', 'url: https://a\nfixtures: b\n') }, /true or false/],
    ['a start without a stop', { target: file('half', 'start: a\n') }, /go together/],
  ])('refuses %s', (_, options, message) => {
    expect(() => resolveTarget(options)).toThrow(UsageError);
    expect(() => resolveTarget(options)).toThrow(message);
  });
});
