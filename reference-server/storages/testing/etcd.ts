// A real etcd of one or more members, on free ports of loopback, that tests stop, kill, pause and start again.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../matrix/api/freePort.js';
import { programPath } from '../../testing/programs.js';

/** Why a test that needs etcd does not run; undefined if there is one. */
export const noEtcd = programPath('etcd') === undefined ? 'not run: no etcd (install etcd-server)' : undefined;

interface Member {
  readonly name: string;
  readonly client: number;
  readonly peer: number;
  child?: ChildProcess;
}

interface EtcdSettings {
  readonly members?: number;
  /** Options of each member. */
  readonly more?: readonly string[];
  /** The scheme of its addresses for clients; https needs options too. */
  readonly scheme?: 'http' | 'https';
}

export class TestEtcd {
  readonly #directory = mkdtempSync(join(tmpdir(), 'etcd-'));

  private constructor(
    readonly members: readonly Member[],
    readonly more: readonly string[],
    readonly scheme: 'http' | 'https',
  ) {}

  /** Starts etcd, and resolves when it takes requests: a member that is killed before it has a leader never has one. */
  static async start({ members = 1, more = [], scheme = 'http' }: EtcdSettings = {}): Promise<TestEtcd> {
    for (;;) {
      const rows: Member[] = [];
      for (let index = 0; index < members; index++)
        rows.push({ name: `m${index}`, client: await freePort(), peer: await freePort() });
      const etcd = new TestEtcd(rows, more, scheme);
      rows.forEach((_, index) => {
        etcd.run(index);
      });
      if (await etcd.#isReady()) return etcd;
      // Another process took one of the ports.
      await etcd.stop();
    }
  }

  /** The value of `--etcd-servers`. */
  get servers(): string {
    return this.members.map(({ client }) => `${this.scheme}://127.0.0.1:${client}`).join(',');
  }

  /** Starts a member that has not been started, or that was killed. */
  run(index: number): void {
    const member = this.#member(index);
    const { name, client, peer } = member;
    const url = `${this.scheme}://127.0.0.1:${client}`;
    const peerUrl = (port: number) => `http://127.0.0.1:${port}`;
    const cluster = this.members.map((each) => `${each.name}=${peerUrl(each.peer)}`).join(',');
    member.child = spawn(
      programPath('etcd') as string,
      [
        ...['--name', name, '--data-dir', join(this.#directory, name), '--log-level', 'error'],
        ...['--listen-client-urls', url, '--advertise-client-urls', url],
        ...['--listen-peer-urls', peerUrl(peer), '--initial-advertise-peer-urls', peerUrl(peer)],
        ...['--initial-cluster', cluster, '--unsafe-no-fsync', ...this.more],
      ],
      { stdio: 'ignore' },
    );
  }

  /** Ends a member at once. Resolves when it has ended. */
  async kill(index: number): Promise<void> {
    const { child } = this.#member(index);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Stops a member from running, as a machine that hangs does, or lets it go on. */
  freeze(index: number, isFrozen: boolean): void {
    this.#member(index).child?.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Reports whether a member is part of a cluster that has a leader. */
  async isHealthy(index: number): Promise<boolean> {
    const health = fetch(`http://127.0.0.1:${this.#member(index).client}/health`);
    return (await health.then((response) => response.text()).catch(() => '')).includes('"true"');
  }

  /** Ends all members, and removes their data. */
  async stop(): Promise<void> {
    await Promise.all(this.members.map((_, index) => this.kill(index)));
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #member(index: number): Member {
    return this.members[index] as Member;
  }

  /** Reports whether a member listens; one that asks for client certificates does not tell its health. */
  #isOpen(index: number): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.#member(index).client, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      }).once('error', () => resolve(false));
    });
  }

  /** Reports whether all members take requests; false if one of them has ended. */
  async #isReady(): Promise<boolean> {
    for (;;) {
      if (this.members.some(({ child }) => child?.exitCode !== null)) return false;
      const isUp = (_: Member, index: number) => (this.scheme === 'http' ? this.isHealthy(index) : this.#isOpen(index));
      if ((await Promise.all(this.members.map(isUp))).every(Boolean)) return true;
      await pause(20);
    }
  }
}
