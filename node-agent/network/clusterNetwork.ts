// The network as pods see it: other pods and nodes, the services of the cluster, and their names.
import type { Duplex } from 'node:stream';
import type { DnsRecord, RecordType } from './clusterNames.js';
import type { ServiceTable } from './serviceTable.js';
import { ConnectionRefused, type Transport, type VirtualNetwork } from './virtualNetwork.js';

export class ClusterNetwork {
  constructor(
    readonly network: VirtualNetwork,
    readonly services: ServiceTable,
  ) {}

  /** Connects to an address, which may be that of a service. Rejects with ConnectionRefused. */
  async connect(address: string, port: number, from: string, transport: Transport): Promise<Duplex> {
    const isHere = this.network.listenerAt(address, port, transport, from) !== undefined;
    if (!isHere) await this.services.read();
    const target = isHere ? { address, port } : this.services.route(address, port, from, transport);
    if (target === undefined) throw new ConnectionRefused(address, port, transport);
    return this.network.connect(target.address, target.port, from, transport);
  }

  /** Returns what listens where a connection over TCP leads; undefined if nothing does. */
  async find(address: string, port: number, from: string): Promise<((connection: Duplex) => void) | undefined> {
    const here = this.network.listenerAt(address, port);
    if (here !== undefined) return here;
    await this.services.read();
    const target = this.services.route(address, port, from, 'tcp');
    return target && this.network.listenerAt(target.address, target.port);
  }

  /** Answers a question as the DNS server of the cluster does; undefined if there is no such name. */
  async lookUp(name: string, type: RecordType): Promise<readonly DnsRecord[] | undefined> {
    await this.services.read();
    return this.services.names.answer(name, type);
  }
}
