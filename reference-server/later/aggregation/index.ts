// APIs of other servers as an addon: APIServices register them, the server checks them, passes requests on, and lists them.
import type { ConnectionOptions } from 'node:tls';
import { resourceId } from '../../../matrix/api/index.js';
import type { Addon } from '../../addons.js';
import type { Handler } from '../../request.js';
import { type CallOptions, ServiceAddresses } from '../webhooks/serviceAddress.js';
import { type ApiServiceSpec, apiServicesId } from './apiService.js';
import { availabilityController } from './availability.js';
import { DefinedApis } from './definedApis.js';
import { groupAnswer, withRemotes } from './discovery.js';
import { type FrontProxy, type FrontProxyOptions, frontProxyOf } from './frontProxy.js';
import { placeOwnApis } from './ownApis.js';
import { proxied } from './proxied.js';
import type { PassOn, Remotes } from './remotes.js';

export interface AggregationOptions extends CallOptions, FrontProxyOptions {}

/** `remotes` learns the APIs of other servers. */
export function aggregation(options: AggregationOptions, remotes: Remotes): Addon {
  let frontProxy: FrontProxy | undefined;
  let proxy: PassOn | undefined;
  const { documents } = remotes;
  const tlsOf = async ({
    service,
    caBundle,
    insecureSkipTLSVerify = false,
  }: ApiServiceSpec): Promise<ConnectionOptions> => ({
    ...(await frontProxy?.shown()),
    servername: `${service?.name}.${service?.namespace}.svc`,
    ...(caBundle && { ca: Buffer.from(caBundle, 'base64') }),
    rejectUnauthorized: !insecureSkipTLSVerify,
  });
  return {
    feature: 'api-aggregation',
    partsOf({ ownRegistry: registry, now, signingKey }) {
      const apiServices = registry.of(apiServicesId);
      const defined = new DefinedApis(apiServices);
      const gone = (name: string) => defined.restore(name);
      const addresses = new ServiceAddresses(options, registry);
      proxy = proxied({ addresses, remotes, tlsOf });
      return {
        controllers: [
          availabilityController({ apiServices, registry, addresses, remotes, documents, now, tlsOf, gone }),
          defined.controller,
        ],
        async start() {
          frontProxy = await frontProxyOf(options, signingKey);
          remotes.published = frontProxy.published;
        },
      };
    },
    serve({ surface, handlers, cluster }) {
      handlers.discover = withRemotes(remotes, handlers.discover);
      const passOn = proxy;
      if (passOn !== undefined) remotes.attach(surface, pageHandler(remotes, passOn), passOn);
      if (cluster === undefined) return {};
      const { ownRegistry, served } = cluster;
      return {
        close: () => documents.close(),
        async listening() {
          const { resources } = surface;
          if (!resources.some((resource) => resourceId(resource) === apiServicesId)) return;
          const made = new Set(served.all.slice(served.table.length));
          await placeOwnApis(ownRegistry.of(apiServicesId), resources, made);
        },
      };
    },
  };
}

/** The handler of the pages of other APIs: of a group, and of its versions. */
const pageHandler =
  (remotes: Remotes, proxy: PassOn): Handler =>
  (request) => {
    const [, , name, version] = request.operation.path.split('/');
    const group = version === undefined ? remotes.groups.find((one) => one.name === name) : undefined;
    return group === undefined ? proxy(request) : groupAnswer(group);
  };
