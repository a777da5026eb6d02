// Tests the permissions that the chosen cases need, which are checked before the first case.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../../../suites/index.js';
import { allCases } from '../../../suites/requirements/index.js';
import { bareTarget } from '../../../suites/testing/bareTarget.js';
import { checkPermissions } from '../preflight.js';

const casesOf = (text: string) => allCases().filter(({ id }) => id.includes(text));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'permissions-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function permitted(listener: RequestListener, text: string): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new Client(bareTarget(`http://127.0.0.1:${port}`));
  try {
    return await checkPermissions(client, casesOf(text), { notSupported: [] }, folder).then(
      () => 'everything',
      ({ message }: Error) => message,
    );
  } finally {
    await client.close();
    server.closeAllConnections();
    server.close();
  }
}

const answering =
  (statusOf: (method: string) => number): RequestListener =>
  ({ method = '' }, response) => {
    response.writeHead(statusOf(method), { 'content-type': 'application/json' }).end('{}');
  };

/** A server with SelfSubjectAccessReviews that allows the requests of a rule. */
const reviewing =
  (allows: (attributes: Readonly<Record<string, string>>) => boolean, versions = ['v1']): RequestListener =>
  (request, response) => {
    const reviewed = versions.some(
      (version) => request.url === `/apis/authorization.k8s.io/${version}/selfsubjectaccessreviews`,
    );
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const body = reviewed ? { status: { allowed: allows(JSON.parse(text).spec.resourceAttributes) } } : {};
      response.writeHead(reviewed ? 201 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  };

describe('permissions', () => {
  const needed = 'create.answer › POST /api/v1/namespaces/{namespace}/configmaps';

  it('are complete for an administrator, after one review', async () => {
    const asked: unknown[] = [];
    const all = reviewing((attributes) => asked.push(attributes) > 0);
    expect(await permitted(all, 'configmaps')).toBe('everything');
    expect(asked).toEqual([{ group: '*', resource: '*', verb: '*' }]);
  });

  it.each([['v1'], ['v1beta1']])(
    'that are missing are named, those with the same verbs together, by %s',
    async (version) => {
      const readOnly = reviewing(({ verb = '' }) => ['get', 'list', 'watch'].includes(verb), [version]);
      expect(await permitted(readOnly, needed)).toMatch(
        /^http:\S+ does not permit what the chosen cases need: create, delete, deletecollection, patch, update on configmaps, secrets; create, delete on namespaces; update on namespaces\/finalize; \S+clusterrole.yaml is a ClusterRole with these permissions: apply it/,
      );
    },
  );

  it('of groups and subresources are named by their groups', async () => {
    const some = reviewing(({ verb, subresource }) => verb !== '*' && subresource === undefined);
    const sentence = await permitted(
      some,
      'PUT /apis/extensions/v1beta1/namespaces/{namespace}/deployments/{name}/scale',
    );
    expect(sentence).toMatch(/need: get, patch, update on deployments\/scale.extensions, /);
  });

  it('that are missing are exactly the rules of a ClusterRole', async () => {
    const reads = ['get', 'list', 'watch'];
    const some = reviewing(({ verb = '', group, resource }) => {
      if (group === '*') return false;
      return reads.includes(verb) || resource === 'namespaces' || (group === '' && verb === 'delete');
    });
    const file = join(folder, 'clusterrole.yaml');
    const writes = ['create', 'deletecollection', 'patch', 'update'];
    const beside = { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: writes };
    await permitted(some, 'create.answer › POST /api/v1/namespaces/{namespace}/configmaps');
    expect(load(readFileSync(file, 'utf8'))).toEqual({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'kube-api-conformance' },
      rules: [beside],
    });
    await permitted(some, 'create.answer › POST /apis/batch/v1/namespaces/{namespace}/jobs');
    const role = load(readFileSync(file, 'utf8')) as { readonly rules: unknown };
    expect(role.rules).toEqual([
      { apiGroups: ['batch'], resources: ['jobs'], verbs: ['create', 'delete', ...writes.slice(1)] },
      { apiGroups: ['batch'], resources: ['jobs/status'], verbs: ['patch', 'update'] },
      beside,
    ]);
    await permitted(
      reviewing(() => true),
      'configmaps',
    );
    expect(existsSync(file)).toBe(false);
  });

  it('are tried out without access reviews, without deletes and replaces', async () => {
    const methods = new Set<string>();
    const readOnly = answering((method) => {
      methods.add(method);
      return method === 'GET' ? 404 : 403;
    });
    expect(await permitted(readOnly, 'patch.merge-patch ›')).toMatch(/need: create, patch on configmaps/);
    expect([...methods].sort()).toEqual(['GET', 'PATCH', 'POST']);
  });

  it('are not reviewed if no case needs any', async () => {
    expect(
      await permitted(
        answering(() => 403),
        'discovery.names',
      ),
    ).toBe('everything');
  });
});
