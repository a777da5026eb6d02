import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderKubeconfig, writeKubeconfig } from './write.js';

const facts = { url: 'https://[::1]:6443', caCertificate: '-----BEGIN CERTIFICATE-----\n', token: 'to: "ken' };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a kubeconfig', () => {
  it('names the server, its authority and the token', () => {
    const name = 'kube-api-conformance';
    expect(load(renderKubeconfig(facts))).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [
        {
          name,
          cluster: {
            server: facts.url,
            'certificate-authority-data': Buffer.from(facts.caCertificate).toString('base64'),
          },
        },
      ],
      users: [{ name, user: { token: facts.token } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
    });
  });

  it('may be without a token', () => {
    const { url, caCertificate } = facts;
    expect(load(renderKubeconfig({ url, caCertificate }))).toMatchObject({ users: [{ user: {} }] });
  });

  it('is written whole, for its owner only, over an older one', async () => {
    const file = join(folder, 'config');
    await writeKubeconfig(file, { ...facts, token: 'older' });
    await writeKubeconfig(file, facts);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toBe(renderKubeconfig(facts));
    expect(await readdir(folder)).toEqual(['config']);
  });

  it('leaves no file behind if it cannot be written', async () => {
    await expect(writeKubeconfig(join(folder, 'nowhere', 'config'), facts)).rejects.toThrow('ENOENT');
    await expect(writeKubeconfig(folder, facts)).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['config']);
    expect((await readdir(tmpdir())).filter((name) => name.startsWith('.kubeconfig-'))).toEqual([]);
  });
});
