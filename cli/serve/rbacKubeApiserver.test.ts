// Holds the table of roles and bindings against a real kube-apiserver: what this server answers, a real one answers too.
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  rbacBody,
  rbacDifferences,
  rbacExchanges,
  type SendRbac,
} from '../../reference-server/later/testing/rbacExchanges.js';
import { hasKubeApiserver, type KubeApiserver, startKubeApiserver } from '../testing/kubeApiserver.js';

describe.skipIf(!hasKubeApiserver())('kube-apiserver answers as the table says', () => {
  let server: KubeApiserver;
  beforeAll(async () => {
    server = await startKubeApiserver('--authorization-mode=RBAC');
  });
  afterAll(() => server?.stop());

  const send: SendRbac = ({ method, path, body }, more) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${server.token}`, ...more };
      const sent = request(`${server.url}${path}`, { method, headers, ca: server.caCertificate }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ code: response.statusCode ?? 0, body: rbacBody(text) }));
      });
      sent.on('error', reject);
      sent.end(body && JSON.stringify(body));
    });

  it.each(Object.entries(rbacExchanges))('%s', async (_what, list) => {
    expect(await rbacDifferences(list, send)).toEqual([]);
  });
});
