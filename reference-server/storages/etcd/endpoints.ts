// Where etcd is, and how its certificates and keys are read: the options of `--etcd-servers` and the flags beside it.
import { OptionError, readOptionFile } from '../../optionValues.js';
import type { EtcdOptions } from '../options.js';

/** The members of an etcd, and how a client proves itself to them. */
export interface Endpoints {
  /** Host and port of each member. */
  readonly addresses: readonly string[];
  /** The first part of all keys, without a slash at its end. */
  readonly prefix: string;
  /** Absent for connections without TLS. */
  readonly tls?: { readonly ca?: Buffer; readonly certificate?: Buffer; readonly key?: Buffer };
}

const defaultPrefix = '/kube-api-conformance';

/** Reads the options. Throws OptionError for an invalid one. */
export async function readEndpoints(options: EtcdOptions & { readonly etcdServers: string }): Promise<Endpoints> {
  const { etcdServers, etcdCafile, etcdCertfile, etcdKeyfile, etcdPrefix = defaultPrefix } = options;
  const urls = etcdServers.split(',').map((text) => parseUrl(text.trim()));
  const [secure, plain] = [urls.filter((url) => url.protocol === 'https:'), urls.filter(isPlain)];
  if (secure.length > 0 && plain.length > 0)
    throw new OptionError('--etcd-servers: some URLs have https and some http; give all the same');
  const prefix = `/${etcdPrefix.split('/').filter(Boolean).join('/')}`;
  if (prefix === '/')
    throw new OptionError('--etcd-prefix: "/" is the whole etcd; give a prefix such as /clusters/one');
  const addresses = etcdServers.split(',').map((text, index) => `${urls[index]?.hostname}:${portIn(text.trim())}`);
  if (secure.length === 0) {
    const file = Object.entries({ etcdCafile, etcdCertfile, etcdKeyfile }).find(([, path]) => path !== undefined);
    if (file !== undefined)
      throw new OptionError(
        `--${file[0].replace('etcd', 'etcd-').toLowerCase()} requires https URLs in --etcd-servers`,
      );
    return { addresses, prefix };
  }
  if ((etcdCertfile === undefined) !== (etcdKeyfile === undefined))
    throw new OptionError('--etcd-certfile and --etcd-keyfile belong together: give both, or neither');
  const read = async (flag: string, path: string | undefined) =>
    path === undefined ? undefined : Buffer.from(await readOptionFile(flag, path));
  const ca = await read('--etcd-cafile', etcdCafile);
  const certificate = await read('--etcd-certfile', etcdCertfile);
  const key = await read('--etcd-keyfile', etcdKeyfile);
  return { addresses, prefix, tls: { ...(ca && { ca }), ...(certificate && { certificate }), ...(key && { key }) } };
}

/** Returns the port as it is written: a URL does not have the usual port of its scheme. */
const portIn = (text: string): string => /:(\d+)\/?$/.exec(text)?.[1] ?? '2379';

const isPlain = (url: URL): boolean => url.protocol === 'http:';

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The message does not quote what may be a password.
  if (text.includes('@')) throw new OptionError('--etcd-servers: a URL takes no user and password');
  const isWhole = url !== undefined && /^https?:$/.test(url.protocol) && url.hostname !== '';
  if (!isWhole || url.pathname !== '/' || url.search !== '')
    throw new OptionError(`--etcd-servers: "${text}" is not an address of etcd; give URLs like http://127.0.0.1:2379`);
  return url;
}
