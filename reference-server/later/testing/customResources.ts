// Definitions for tests, and the server that the tests ask: one of this package, or a real one that serves definitions.
import { readFileSync } from 'node:fs';
import { expect, inject, vi } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { ask, type Reply } from '../../testing/standIn.js';
import { type FullServerOptions, startFullServer } from '../index.js';

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const mergePatch = 'application/merge-patch+json';

export const version = (name: string, schema: object, more: object = {}): AnyShape => ({
  name,
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties: schema } },
  ...more,
});

/** A definition in the group example.com, with the versions, or with one version of a schema. */
export const definition = (
  plural: string,
  kind: string,
  versions: readonly AnyShape[],
  more: object = {},
): AnyShape => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: { group: 'example.com', scope: 'Namespaced', names: { plural, kind }, versions, ...more },
});

/** A response with its body parsed, if it is JSON. */
export interface Answered {
  readonly status: number;
  readonly body: AnyShape;
  readonly headers: Reply['headers'];
  readonly text: string;
}

export class DefinitionClient {
  constructor(readonly server: RunningServer) {}

  async send(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const sent =
      body === undefined
        ? { headers }
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
    const reply = await ask(this.server, path, { method, ...sent });
    return { ...reply, body: jsonOf(reply.text) } as Answered;
  }

  /** Creates a definition, and waits until its resources are served. */
  async define(body: AnyShape): Promise<void> {
    const created = await this.send('POST', definitions, body);
    expect([created.status, created.body.message]).toEqual([201, undefined]);
    await this.until(body, 'Established');
  }

  /** Waits until a condition of a definition is true. */
  async until({ metadata: { name } }: AnyShape, type: string): Promise<void> {
    await eventually(async () => {
      const { body } = await this.send('GET', `${definitions}/${name}`);
      expect(body.status?.conditions).toContainEqual(expect.objectContaining({ type, status: 'True' }));
    });
  }

  /** Waits until a GET has a status. */
  async untilStatus(status: number, path: string): Promise<void> {
    await eventually(async () => expect((await this.send('GET', path)).status).toBe(status));
  }
}

function jsonOf(text: string): AnyShape {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Waits until the expectations are met, also before the first test. */
export const eventually = (met: () => Promise<void>): Promise<void> =>
  vi.waitFor(met, { timeout: inject('deadline') / 2, interval: 50 });

/**
 * Returns the server that the tests ask. `AGAINST`, `AGAINST_CA` and `AGAINST_TOKEN` name a real one by its URL, the file
 * of its certificate authority and a token, to see that the tests expect what it does.
 */
export async function realServerOr(options: FullServerOptions): Promise<RunningServer> {
  const { AGAINST, AGAINST_CA = '', AGAINST_TOKEN = '' } = process.env;
  if (AGAINST === undefined) return startFullServer(options);
  const close = async () => {};
  return {
    url: AGAINST,
    port: Number(new URL(AGAINST).port),
    caCertificate: readFileSync(AGAINST_CA, 'utf8'),
    token: AGAINST_TOKEN,
    close,
    [Symbol.asyncDispose]: close,
  };
}

export const serverWithDefinitions = (): Promise<RunningServer> => realServerOr({ allowLoopbackWebhooks: true });
