// Gives the pods of a node their addresses.
import { isIPv4 } from 'node:net';

/** Throws RangeError for a node's address that is not of 10.0.0.0/8: nothing else is virtual. */
export function requireVirtual(address: string): void {
  if (isIPv4(address) && address.startsWith('10.')) return;
  throw new RangeError(`"${address}" is no virtual address; give one of 10.0.0.0/8`);
}

/** The addresses of a /24: `10.244.0.0/24` gives 10.244.0.2 to 10.244.0.254. */
export class AddressPool {
  readonly #prefix: string;
  readonly #taken = new Set<number>();
  #next = 2;

  /** Throws RangeError for a range that is none, or not within 10.0.0.0/8. */
  constructor(cidr: string) {
    const [, prefix] = /^(10\.\d+\.\d+)\.0\/24$/.exec(cidr) ?? [];
    if (prefix === undefined || !isIPv4(`${prefix}.0`)) {
      throw new RangeError(`"${cidr}" is no range of pods; write it as 10.244.0.0/24`);
    }
    this.#prefix = prefix;
  }

  /** A free address, the wanted one where it is; undefined when all are taken. One that was given back rests. */
  take(wanted?: string): string | undefined {
    const number = this.#numberOf(wanted);
    if (number !== undefined && !this.#taken.has(number)) {
      this.#taken.add(number);
      return wanted;
    }
    for (let tried = 0; tried < 253; tried++) {
      const candidate = this.#next;
      this.#next = candidate === 254 ? 2 : candidate + 1;
      if (this.#taken.has(candidate)) continue;
      this.#taken.add(candidate);
      return `${this.#prefix}.${candidate}`;
    }
    return undefined;
  }

  give(address: string): void {
    const number = this.#numberOf(address);
    if (number !== undefined) this.#taken.delete(number);
  }

  #numberOf(address = ''): number | undefined {
    if (!address.startsWith(`${this.#prefix}.`) || !isIPv4(address)) return undefined;
    const number = Number(address.slice(this.#prefix.length + 1));
    return number >= 2 && number <= 254 ? number : undefined;
  }
}
