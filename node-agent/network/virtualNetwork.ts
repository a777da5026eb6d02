// The network of pods and nodes: addresses that exist in this process only, and who listens there.
import type { Duplex } from 'node:stream';
import { AddressInUse } from '../programs/program.js';
import { makeWire } from './wire.js';

type Accept = (connection: Duplex) => void;

export class VirtualNetwork {
  readonly #listeners = new Map<string, Accept>();
  readonly #names = new Map<string, string>();

  /** Listens until the signal. Throws AddressInUse. */
  listen(address: string, port: number, signal: AbortSignal, accept: Accept): void {
    const key = `${address}:${port}`;
    if (this.#listeners.has(key)) throw new AddressInUse(`${key}: address already in use`);
    if (signal.aborted) return;
    this.#listeners.set(key, accept);
    signal.addEventListener('abort', () => this.#listeners.delete(key), { once: true });
  }

  /** Gives an address a name. */
  name(name: string, address: string): void {
    this.#names.set(name, address);
  }

  /** Who accepts connections at an address, or at a name; undefined where nobody does. */
  find(host: string, port: number): Accept | undefined {
    return this.#listeners.get(`${this.#names.get(host) ?? host}:${port}`);
  }

  /** Connects; undefined where nobody listens. */
  connect(address: string, port: number): Duplex | undefined {
    const accept = this.find(address, port);
    if (accept === undefined) return undefined;
    const [near, far] = makeWire();
    accept(far);
    return near;
  }
}
