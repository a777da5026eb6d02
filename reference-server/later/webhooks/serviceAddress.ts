// Where a service is that the server itself calls: at one of its endpoints, which are pods, or under its external name.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { destinations } from '../../connect/destination.js';
import { type Address, Dialer } from '../../connect/dialer.js';
import type { Objects } from '../../connect/target.js';
import { part } from '../../schema/object.js';

export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

export interface CallOptions {
  /** Whether addresses of this machine on loopback may be called; false by default. */
  readonly allowLoopbackWebhooks?: boolean;
  readonly egressProxy?: string;
}

/** Where a call goes, and what connects it. */
export interface Destination {
  readonly address: Pick<Address, 'host' | 'port'>;
  readonly dialer: Dialer;
}

export class ServiceAddresses {
  /** Connects to what is outside of the cluster. */
  readonly direct: Dialer;
  readonly #toPods: Dialer;

  constructor(
    { allowLoopbackWebhooks = false, egressProxy }: CallOptions,
    readonly registry: Objects,
  ) {
    this.direct = new Dialer(undefined, allowLoopbackWebhooks);
    this.#toPods = new Dialer(egressProxy, allowLoopbackWebhooks);
  }

  /** Returns any ready endpoint. Throws 404 for an absent service, and 503 if it has no endpoint. */
  async of({ namespace, name, port }: ServicePort): Promise<Destination> {
    const service = (await this.registry.of('core/services').find({ namespace, name }))?.value;
    const { type, externalName = '' } = part<ObjectOf<'ServiceSpec'>>(service, 'spec');
    if (type === 'ExternalName') return { address: { host: externalName, port }, dialer: this.direct };
    const { host, port: found } = await destinations.services(
      { registry: this.registry },
      { namespace, name: `https:${name}:${port}` },
    );
    return { address: { host, port: found }, dialer: this.#toPods };
  }
}
