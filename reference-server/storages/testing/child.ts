// Runs a server in a child process on a data directory, as users start it, for tests of restarts.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { Pool } from 'undici';
import type { AnyShape } from '../../testing/anyShape.js';
import { firstOutput } from '../../testing/firstOutput.js';

const main = resolve(import.meta.dirname, '../../../dist/cli/main.js');
const token = 'child-token';

export interface Answer {
  readonly status: number;
  readonly body: AnyShape;
}

export class Child {
  private constructor(
    readonly process: ChildProcess,
    readonly folder: string,
    readonly pool: Pool,
    /** Returns what the server has written to stderr. */
    readonly log: () => string,
  ) {}

  /** Starts a server on a data directory. Resolves when it is ready. */
  static start(dataDir: string): Promise<Child> {
    return Child.startWith(['--data-dir', dataDir]);
  }

  /** Starts a server with options for its storage. Resolves when it is ready. */
  static async startWith(options: readonly string[]): Promise<Child> {
    const folder = mkdtempSync(join(tmpdir(), 'child-'));
    const [tokens, kubeconfig] = [join(folder, 'tokens.csv'), join(folder, 'kubeconfig')];
    writeFileSync(tokens, `${token},admin,admin\n`);
    const files = ['--token-auth-file', tokens, '--write-kubeconfig', kubeconfig];
    const child = spawn(process.execPath, [main, 'serve', '--nodes', '0', ...options, ...files], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    child.stderr.on('data', (text: Buffer) => {
      log += text;
    });
    await firstOutput(child).catch((error: Error) => {
      throw new Error(`${error.message}: ${log}`);
    });
    const { clusters } = load(readFileSync(kubeconfig, 'utf8')) as {
      readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
    };
    const { server = '', 'certificate-authority-data': ca = '' } = clusters[0]?.cluster ?? {};
    const pool = new Pool(server, { connect: { ca: Buffer.from(ca, 'base64').toString('utf8') } });
    return new Child(child, folder, pool, () => log);
  }

  /** Sends a request. Rejects if the server has ended. */
  async send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Answer> {
    const answer = await this.pool.request({
      method,
      path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: answer.statusCode, body: await answer.body.json() };
  }

  /** Returns the status of a GET of a page. */
  async status(path: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    const { statusCode, body } = await this.pool.request({ method: 'GET', path, headers });
    await body.dump();
    return statusCode;
  }

  /** Returns the events of a watch, up to a number, or until the watch ends. */
  async watch(path: string, count: number): Promise<Answer['body'][]> {
    const { body } = await this.pool.request({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } });
    let text = '';
    for await (const chunk of body) {
      text += chunk;
      if (text.split('\n').length > count) break;
    }
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as Answer['body']);
  }

  /** Ends the process with a signal, and waits for its exit. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const gone = once(this.process, 'exit');
    this.process.kill(signal);
    if (this.process.exitCode === null && this.process.signalCode === null) await gone;
    await this.pool.destroy();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
