// How programs find hosts: the files of their container, then the DNS server of the cluster; and connections to them.
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Process, Sandbox } from '../kernel/process.js';
import type { DnsRecord, RecordType } from '../network/clusterNames.js';
import type { Transport } from '../network/virtualNetwork.js';

/** The address of the DNS server of the cluster. Nothing listens there: the resolver asks the agent. */
export const clusterNameServer = '10.0.0.10';

/** A host has no address. */
export class UnknownHost extends Error {
  override readonly name = 'UnknownHost';
}

/** What the DNS server knows of a name: that name as a whole, and the records. */
interface Answer {
  readonly name: string;
  readonly records: readonly DnsRecord[];
}

/** What `/etc/resolv.conf` says. */
interface ResolverConfig {
  readonly servers: readonly string[];
  readonly search: readonly string[];
  /** A name with so many dots is tried as it is before the search list. */
  readonly dots: number;
}

function textOf({ files }: Sandbox, path: string): string {
  const found = files.find(path);
  return found?.kind === 'file' ? Buffer.concat([...found.chunks()]).toString() : '';
}

const wordsOf = (line: string): string[] => (line.split('#', 1)[0] ?? '').split(/\s/).filter((word) => word !== '');

export function resolverConfig(sandbox: Sandbox): ResolverConfig {
  const lines = textOf(sandbox, '/etc/resolv.conf').split('\n').map(wordsOf);
  const of = (name: string) => lines.filter(([first]) => first === name).map((words) => words.slice(1));
  const dots = of('options')
    .flat()
    .find((option) => option.startsWith('ndots:'));
  return { servers: of('nameserver').flat(), search: of('search').at(-1) ?? [], dots: Number(dots?.slice(6) ?? 1) };
}

/** Returns what the DNS server answers about a host, by the names of the search list. Rejects with UnknownHost. */
export async function askServer(sandbox: Sandbox, host: string, type: RecordType = 'A'): Promise<Answer> {
  const { servers, search, dots } = resolverConfig(sandbox);
  if (!servers.includes(clusterNameServer)) throw new UnknownHost(host);
  const searched = search.map((domain) => `${host}.${domain}`);
  const names = host.endsWith('.')
    ? [host.slice(0, -1)]
    : host.split('.').length > dots
      ? [host, ...searched]
      : [...searched, host];
  for (const name of names) {
    const records = (await sandbox.lookUp(name, type)) ?? [];
    if (records.length > 0) return { name, records };
  }
  throw new UnknownHost(host);
}

/** Returns the name with which the DNS server knows a host, and its addresses. Rejects with UnknownHost. */
export async function addressesOf(
  sandbox: Sandbox,
  host: string,
): Promise<{ readonly name: string; readonly addresses: readonly string[] }> {
  const { name, records } = await askServer(sandbox, host);
  const addresses = records.flatMap(({ type, data }) => (type === 'A' ? [data] : []));
  if (addresses.length === 0) throw new UnknownHost(host);
  return { name, addresses };
}

/** Returns the line of `/etc/hosts` that has a name: its address, and its names. */
export const hostsLine = (sandbox: Sandbox, host: string): readonly string[] | undefined =>
  textOf(sandbox, '/etc/hosts')
    .split('\n')
    .map(wordsOf)
    .find(([, ...names]) => names.includes(host));

/** Returns the address of a host. Rejects with UnknownHost. */
export async function addressOf(sandbox: Sandbox, host: string): Promise<string> {
  if (isIP(host)) return host;
  const line = hostsLine(sandbox, host) ?? (host === 'localhost' ? ['127.0.0.1'] : undefined);
  return line?.[0] ?? (await addressesOf(sandbox, host)).addresses[0] ?? host;
}

/** Connects to a host. Rejects with UnknownHost, or with Error if nothing listens there. */
export const dial = async (
  { sandbox }: Pick<Process, 'sandbox'>,
  host: string,
  port: number,
  transport: Transport = 'tcp',
): Promise<Duplex> => sandbox.connect(await addressOf(sandbox, host), port, transport);
