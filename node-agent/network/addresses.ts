// The addresses of nodes and pods, all in 10.0.0.0/8.
import { isIPv4 } from 'node:net';

/** Throws RangeError for a node address outside 10.0.0.0/8. */
export function requireVirtual(address: string): void {
  if (isIPv4(address) && address.startsWith('10.')) return;
  throw new RangeError(`"${address}" is not a virtual address; give one of 10.0.0.0/8`);
}

/** Allocates the pod addresses of a node. A pod CIDR is a /24: `10.244.0.0/24` has 10.244.0.2 to 10.244.0.254. */
export class AddressPool {
  readonly #prefix: string;
  readonly #allocated = new Set<number>();
  #next = 2;

  /** Throws RangeError for a CIDR that is not a /24 of 10.0.0.0/8. */
  constructor(cidr: string) {
    const [, prefix] = /^(10\.\d+\.\d+)\.0\/24$/.exec(cidr) ?? [];
    if (prefix === undefined || !isIPv4(`${prefix}.0`)) {
      throw new RangeError(`"${cidr}" is not a range of pods; write it as 10.244.0.0/24`);
    }
    this.#prefix = prefix;
  }

  /**
   * Allocates `wanted` if it is free, otherwise another address. Returns undefined if none is free. A released address
   * is reused only after all others.
   */
  allocate(wanted?: string): string | undefined {
    const number = this.#numberOf(wanted);
    if (number !== undefined && !this.#allocated.has(number)) {
      this.#allocated.add(number);
      return wanted;
    }
    for (let tried = 0; tried < 253; tried++) {
      const candidate = this.#next;
      this.#next = candidate === 254 ? 2 : candidate + 1;
      if (this.#allocated.has(candidate)) continue;
      this.#allocated.add(candidate);
      return `${this.#prefix}.${candidate}`;
    }
    return undefined;
  }

  release(address: string): void {
    const number = this.#numberOf(address);
    if (number !== undefined) this.#allocated.delete(number);
  }

  #numberOf(address = ''): number | undefined {
    if (!address.startsWith(`${this.#prefix}.`) || !isIPv4(address)) return undefined;
    const number = Number(address.slice(this.#prefix.length + 1));
    return number >= 2 && number <= 254 ? number : undefined;
  }
}
