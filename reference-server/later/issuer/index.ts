// The discovery of the issuer of service account tokens: others can verify them with its keys, without this server.
import { pageOf } from '../../../matrix/api/index.js';
import type { Addon } from '../../addons.js';
import type { Answer, ApiRequest } from '../../request.js';
import { boundIssuer } from '../../serviceaccounts/boundTokens.js';

/** Since this version, servers publish their issuer. */
const since = 20;

const configurationPath = '/.well-known/openid-configuration';
const keysPath = '/openid/v1/jwks';

export const issuerDiscovery: Addon = {
  serve({ cluster, options, surface }) {
    if (cluster === undefined || Number(options.kubeVersion.split('.')[1]) < since) return {};
    const { publicKey, algorithm, id } = cluster.boundTokens.key;
    const configurationFor = ({ headers: { host = '' }, basePath }: ApiRequest): object => ({
      issuer: boundIssuer,
      jwks_uri: `https://${host}${basePath}${keysPath}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [algorithm],
    });
    const keys = { keys: [{ use: 'sig', kid: id, alg: algorithm, ...publicKey.export({ format: 'jwk' }) }] };
    surface.add({
      operations: [configurationPath, keysPath].map((path) => pageOf(path, ['json'], true)),
      listed: [configurationPath, keysPath],
      handler: (request) =>
        request.operation.path === keysPath
          ? page(keys, 'application/jwk-set+json')
          : page(configurationFor(request), 'application/json'),
    });
    return {};
  },
};

/** Clients may keep a page for an hour. */
const page = (body: object, mediaType: string): Answer => ({
  status: 200,
  headers: { 'Cache-Control': 'public, max-age=3600' },
  raw: JSON.stringify(body),
  mediaType,
});
