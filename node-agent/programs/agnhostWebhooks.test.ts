// Tests the webhooks of agnhost, as an API server asks them.
import { afterEach, describe, expect, test } from 'vitest';
import { makeServerCertificates } from '../../test-certs/index.js';
import { sigterm } from '../kernel/process.js';
import { TestContainer } from '../testing/container.js';

let stop = new AbortController();
let running: Promise<unknown> = Promise.resolve();
afterEach(async () => {
  stop.abort(sigterm);
  await running;
  stop = new AbortController();
});

describe('webhooks of agnhost', () => {
  /** Starts a webhook with a certificate of its own, and returns what asks it. */
  async function startWebhook(program: string): Promise<(path: string, request: object) => Promise<unknown>> {
    const container = new TestContainer();
    const { server } = await makeServerCertificates('web');
    container.files.write('/tls.crt', server.certificate);
    container.files.write('/tls.key', server.key);
    container.files.write('/etc/hosts', '10.244.0.7 web\n');
    const flags = ['--tls-cert-file=/tls.crt', '--tls-private-key-file=/tls.key', '--port=8444', '-v=4'];
    running = container.run([program, ...flags], { signal: stop.signal }, 'agnhost');
    await expect.poll(() => container.listens(8444)).toBe(true);
    expect((await container.sh('curl -sk https://web:8444/readyz')).stdout).toBe('ok');
    return async (path, request) => {
      container.files.write('/review', JSON.stringify({ apiVersion: 'x/v1', kind: 'Review', request }));
      const { stdout } = await container.sh(`curl -sk -d "$(cat /review)" https://web:8444${path}`);
      return stdout.startsWith('{') ? JSON.parse(stdout) : stdout;
    };
  }
  const patch = (...operations: object[]) => ({
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
  });
  const add = (path: string, value: unknown) => ({ op: 'add', path, value });
  const mark = { 'webhook-e2e-test': 'webhook-disallow' };
  const denied = (message: string) => ({ allowed: false, status: { message } });

  test('each path of webhook judges in its way', async () => {
    const ask = await startWebhook('webhook');
    const allowed = { allowed: true };
    const attached = { stdin: true, container: 'container1' };
    const cases: [string, object, object][] = [
      ['/always-deny', { object: {} }, denied('this webhook denies all requests')],
      ['/add-label', { object: { metadata: {} } }, patch(add('/metadata/labels', { 'added-label': 'yes' }))],
      [
        '/add-label',
        { object: { metadata: { labels: { a: 'b' } } } },
        patch(add('/metadata/labels/added-label', 'yes')),
      ],
      ['/add-label', { object: { metadata: { labels: { 'added-label': 'yes' } } } }, allowed],
      [
        '/pods',
        { object: { metadata: { labels: mark }, spec: { containers: [{ name: 'webhook-disallow' }] } } },
        denied('the pod contains unwanted label; the pod contains unwanted container name;'),
      ],
      ['/pods', { object: { spec: { containers: [{ name: 'c' }] } } }, allowed],
      [
        '/pods/attach',
        { name: 'to-be-attached-pod', object: attached },
        denied("attaching to pod 'to-be-attached-pod' is not allowed"),
      ],
      ['/pods/attach', { name: 'other', object: attached }, allowed],
      ['/configmaps', { object: { data: mark } }, denied('the configmap contains unwanted key and value')],
      ['/custom-resource', { object: { data: mark } }, denied('the custom resource contains unwanted data')],
      [
        '/custom-resource',
        { operation: 'DELETE', oldObject: { data: { 'webhook-e2e-test': 'webhook-nondeletable' } }, object: null },
        denied('the custom resource cannot be deleted because it contains unwanted key and value'),
      ],
      [
        '/mutating-configmaps',
        { object: { data: { 'mutation-start': 'yes' } } },
        patch(add('/data/mutation-stage-1', 'yes')),
      ],
      [
        '/mutating-custom-resource',
        { object: { data: { 'mutation-stage-1': 'yes' } } },
        patch(add('/data/mutation-stage-2', 'yes')),
      ],
      ['/mutating-pods', { object: { metadata: { name: 'other' } } }, allowed],
      ['/crd', { object: { metadata: { labels: mark } } }, denied('the crd contains unwanted label')],
    ];
    for (const [path, request, verdict] of cases) {
      const response = { uid: 'u', ...verdict };
      expect(await ask(path, { uid: 'u', ...request })).toEqual({ apiVersion: 'x/v1', kind: 'Review', response });
    }
    expect(await ask('/none', {})).toBe('404 page not found\n');
  });

  test('crd-conversion-webhook converts hosts and ports', async () => {
    const ask = await startWebhook('crd-conversion-webhook');
    const [v1, v2] = ['stable.example.com/v1', 'stable.example.com/v2'];
    const [one, two] = [
      { apiVersion: v1, kind: 'X', hostPort: 'a:1' },
      { apiVersion: v2, kind: 'X', host: 'a', port: '1' },
    ];
    const converted = (...convertedObjects: object[]) => ({
      response: { uid: 'u', convertedObjects, result: { status: 'Success' } },
    });
    const convert = (desiredAPIVersion: string, ...objects: object[]) =>
      ask('/crdconvert', { uid: 'u', desiredAPIVersion, objects });
    expect(await convert(v2, one, { apiVersion: v1 })).toMatchObject(converted(two, { apiVersion: v2 }));
    expect(await convert(v1, two)).toMatchObject(converted(one));
    expect(await convert(v2, { apiVersion: v1, hostPort: 'a' })).toMatchObject({
      response: { result: { status: 'Failure', message: 'invalid hostPort value: `a`' } },
    });
    expect(await convert(v2, two)).toMatchObject({ response: { result: { status: 'Failure' } } });
  });

  test('a webhook needs a certificate', async () => {
    const result = await new TestContainer().run(['webhook'], {}, 'agnhost');
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('give --tls-cert-file') });
  });
});
