// Tests that each error in the user's input is reported in one line that says what to do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { skipReason } from '../../suites/index.js';
import { allCases } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { resolveTarget } from './target.js';

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

const clusterWideDeletes = [...new Set(allCases().map(({ subject }) => subject))].filter(
  ({ operation }) => operation?.verb === 'deleteCollection' && operation.resource?.namespaced === false,
);

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
    ['an empty file', { tokenFile: file('empty-token', ' \n') }, /^--token-file: .*empty-token: the token is empty$/],
    ['no file', { tokenFile: join(folder, 'none') }, /^--token-file: cannot read .*none: there is none \(ENOENT\)$/],
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

  it.each([
    ['the host', { url: 'https://127.0.0.1:6443' }, '127.0.0.1:6443'],
    ['the context of a kubeconfig', { kubeconfig: file('named', kubeconfig('{token: t}')) }, 'a'],
    ['the target file', { target: file('named.yaml', 'name: n\nurl: https://a\n') }, 'n'],
    ['the option', { target: file('named.yaml', 'name: n\nurl: https://a\n'), name: 'o' }, 'o'],
  ])('is named by %s', (_, given, name) => {
    expect(resolveTarget(given).name).toBe(name);
  });

  it('accepts a target file; options override it', () => {
    const text =
      'name: n\nstart: a\nstop: b\nfixtures: true\nnodes: ours\ndeviations: [{requirement: list.kind, reason: r}]\n';
    const path = file('target.yaml', text);
    expect(resolveTarget({ target: path })).toMatchObject({
      name: 'n',
      lifecycle: { start: 'a', stop: 'b', fixtures: true },
      nodes: 'ours',
    });
    const overridden = resolveTarget({ target: path, url: 'https://127.0.0.1:1' });
    expect(overridden.lifecycle).toBeUndefined();
    expect(overridden.deviations).toEqual([{ requirement: 'list.kind', reason: 'r', at: `${path}:6` }]);
  });

  it.each([
    ['a server that the run starts', 'start: a\nstop: b\n', {}, true],
    ['one that is said not to be', 'start: a\nstop: b\ndisposable: false\n', {}, false],
    ['one that is said to be', 'start: a\nstop: b\ndisposable: true\n', {}, true],
    ['one that the command line says not to be', 'start: a\nstop: b\n', { disposable: false }, false],
    ['one of which the command line says more', 'start: a\nstop: b\ndisposable: false\n', { disposable: true }, true],
    ['another server by the same file', 'start: a\nstop: b\n', { url: 'https://b' }, false],
    ['a server that runs', 'url: https://a\n', {}, false],
    ['one that runs, and is said to be', 'url: https://a\ndisposable: true\n', {}, true],
    [
      'one that runs, and the command line says not to be',
      'url: https://a\ndisposable: true\n',
      { disposable: false },
      false,
    ],
  ])('sends cluster-wide delete-collections only to a disposable server: %s', (_, text, given, expected) => {
    const target = resolveTarget({ target: file('disposable.yaml', text), ...given });
    const sent = clusterWideDeletes.filter((subject) => skipReason(target, subject) === undefined);
    expect([target.disposable, sent]).toEqual([expected, expected ? clusterWideDeletes : []]);
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
    ['nothing', {}, /give --url .* --kubeconfig .* --target/],
    ['a file that names no server', { target: file('nameless.yaml', 'name: x\n') }, /nameless\.yaml names no server: /],
    ['no URL', { url: 'not a url' }, /https:\/\/host:port/],
    ['another scheme', { url: 'ftp://a' }, /not http/],
    ['a missing file', { url: 'https://a', ca: join(folder, 'nosuch') }, /--ca: cannot read .*ENOENT/],
    ['a certificate without its key', { url: 'https://a', clientCertificate: ca }, /go together/],
    ['no context', { kubeconfig: file('empty', 'kind: Config\n') }, /no current-context/],
    [
      'a context that is not there',
      { kubeconfig: file('ok', kubeconfig('{}')), context: 'z' },
      /there is no context z; there are a$/,
    ],
    [
      'what is not a kubeconfig',
      { kubeconfig: file('text', 'hello') },
      /^--kubeconfig: \S+ is not a kubeconfig: it has no/,
    ],
    [
      'a misspelt target',
      { target: 'reference-sever' },
      /there is no reference-sever; did you mean reference-server\?/,
    ],
    ['the bare name of a shipped file', { target: 'kube-apiserver-1.36' }, /did you mean \S*targets\S*1\.36\.yaml\?/],
    ['a file that is nothing like them', { target: 'none.yaml' }, /cannot read none\.yaml: there is none/],
  ])('refuses %s', (_, options, message) => {
    expect(() => resolveTarget(options)).toThrow(UsageError);
    expect(() => resolveTarget(options)).toThrow(message);
  });
});
