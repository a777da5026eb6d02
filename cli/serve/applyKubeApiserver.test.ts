// Holds the table of server-side apply against a real kube-apiserver: what this server answers, a real one answers too.
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchanges } from '../../reference-server/later/testing/applyExchanges.js';
import { type Answered, differences, mediaTypeOf, type Send } from '../../reference-server/later/testing/applyTable.js';
import { hasKubeApiserver, type KubeApiserver, startKubeApiserver } from '../testing/kubeApiserver.js';

describe.skipIf(!hasKubeApiserver())('kube-apiserver answers as the table says', () => {
  let server: KubeApiserver;
  beforeAll(async () => {
    server = await startKubeApiserver('--no-controller-manager');
  });
  afterAll(() => server?.stop());

  const send: Send = ({ method, type, agent, body }, path) =>
    new Promise<Answered>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${server.token}`,
        'content-type': type === undefined ? 'application/json' : mediaTypeOf[type],
        ...(agent !== undefined && { 'user-agent': agent }),
      };
      const sent = request(`${server.url}${path}`, { method, headers, ca: server.caCertificate }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ code: response.statusCode ?? 0, body: JSON.parse(text) }));
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : type === 'yaml' ? String(body) : JSON.stringify(body));
    });

  it.each(Object.entries(exchanges))('%s', async (_what, list) => {
    expect(await differences(list, send)).toEqual([]);
  });
});
