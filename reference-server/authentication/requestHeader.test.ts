// Tests that the headers of front proxies stay with the server, believed or not.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { issueCertificate } from '../../test-certs/index.js';
import { startServerBefore } from '../testing/backendCluster.js';
import { ask } from '../testing/standIn.js';
import { TestBackend } from '../testing/testBackend.js';

it('headers that name users are not passed on, whatever their names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'request-header-'));
  const file = join(folder, 'ca.crt');
  await writeFile(file, (await issueCertificate({ subject: { commonName: 'ca' }, usage: 'authority' })).certificate);
  const backend = await TestBackend.start();
  try {
    await using server = await startServerBefore(backend, {
      requestheaderClientCaFile: file,
      requestheaderUsernameHeaders: ['X-Name'],
      requestheaderUidHeaders: ['X-Id'],
      requestheaderGroupHeaders: ['X-Group'],
      requestheaderExtraHeadersPrefix: ['X-More-'],
    });
    const headers = { 'X-Name': 'joe', 'X-Id': '1', 'X-Group': ['a', 'b'], 'X-More-A': 'b', 'X-Names': 'x' };
    const { status } = await ask(server, '/api/v1/namespaces/default/pods/p/proxy/', { headers });
    expect(status).toBe(200);
    const arrived = Object.keys(backend.take().headers).sort();
    expect(arrived).toEqual(['host', 'x-forwarded-for', 'x-forwarded-uri', 'x-names']);
  } finally {
    await backend.close();
    await rm(folder, { recursive: true });
  }
});
