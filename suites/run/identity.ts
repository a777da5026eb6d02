// The user that the target takes a client for, seen in the first way that the target offers.
import { randomBytes } from 'node:crypto';
import { defined, mediaTypes } from '../../matrix/api/index.js';
import { namePrefix } from '../client/belonging.js';
import type { Client } from '../client/client.js';
import { at, isObject, type JsonObject } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import type { Credential } from '../requirements/index.js';

/** The user of requests without credentials, on targets that accept them. */
export const anonymousUser = 'system:anonymous';

/** A user as the target shows it. A field that the target does not show is absent. */
export interface UserIdentity {
  readonly name: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  /** The way in which the target showed the user. */
  readonly seenIn: string;
}

/** Tries one way; undefined if the target does not offer it for this credential. Rejects with NoAnswer. */
type Way = (client: Client, credential: Credential, runId: string) => Promise<UserIdentity | undefined>;

/**
 * Returns the user that the target takes the bearer of a credential for; undefined if the credential is refused, or if
 * the target offers no way to see the user. Rejects with NoAnswer.
 */
export async function identify(
  client: Client,
  credential: Credential,
  runId: string,
): Promise<UserIdentity | undefined> {
  for (const way of ways) {
    const identity = await way(client, credential, runId);
    if (identity !== undefined) return identity;
  }
  return undefined;
}

const post = (client: Client, path: string, body: JsonObject, as?: Credential): Promise<Reply> =>
  client.send({
    method: 'POST',
    path,
    headers: { 'content-type': mediaTypes.json },
    body: JSON.stringify(body),
    ...defined({ as }),
  });

const isSuccess = ({ status }: Reply): boolean => status >= 200 && status <= 299;

/** The paths that a client's target does not have, as found by `create`. */
const absent = new WeakMap<Client, Set<string>>();

/** Creates an object of the resource in the first version that the target has; undefined if the target refuses. */
async function create(
  { client, as }: { readonly client: Client; readonly as?: Credential },
  versions: readonly string[],
  resource: string,
  body: JsonObject,
): Promise<Reply | undefined> {
  const known = absent.get(client) ?? new Set();
  absent.set(client, known);
  for (const apiVersion of versions) {
    const path = `/apis/${apiVersion}/${resource}`;
    if (known.has(path)) continue;
    const reply = await post(client, path, { apiVersion, ...body }, as);
    if (isSuccess(reply)) return reply;
    if (reply.status !== 404) return undefined;
    known.add(path);
  }
  return undefined;
}

const authenticationVersions = ({ target }: Client, ...versions: readonly string[]): string[] =>
  versions.map((version) => `authentication.${target.domains.authentication}/${version}`);

const selfReview: Way = async (client, as) => {
  const versions = authenticationVersions(client, 'v1', 'v1beta1', 'v1alpha1');
  const reply = await create({ client, as }, versions, 'selfsubjectreviews', { kind: 'SelfSubjectReview' });
  return userOf(at(reply?.tryValue(), 'status', 'userInfo'), 'SelfSubjectReview');
};

/** A TokenReview of a bearer token. It does not show the user of a client that also sends a certificate. */
const tokenReview: Way = async (client, { token, certificate }) => {
  if (token === undefined || certificate !== undefined) return undefined;
  const versions = authenticationVersions(client, 'v1', 'v1beta1');
  const reply = await create({ client }, versions, 'tokenreviews', { kind: 'TokenReview', spec: { token } });
  const status = at(reply?.tryValue(), 'status');
  return at(status, 'authenticated') === true ? userOf(at(status, 'user'), 'TokenReview') : undefined;
};

/** The target writes the requesting user into a CertificateSigningRequest, which is sent as a dry run. */
const signingRequest: Way = async (client, as, runId) => {
  const name = `${namePrefix(runId)}-identity-${randomBytes(4).toString('hex')}`;
  const resource = 'certificatesigningrequests';
  const versions = ['certificates.k8s.io/v1', 'certificates.k8s.io/v1beta1'];
  const reply = await create({ client, as }, versions, `${resource}?dryRun=All`, {
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request: Buffer.from(certificateRequest).toString('base64'),
      signerName: 'kube-api-conformance.example/none',
      usages: ['client auth'],
    },
  });
  const made = reply?.tryValue();
  // a server without dry run has stored the object
  if (reply !== undefined) {
    await client.send({ method: 'DELETE', path: `/apis/${at(made, 'apiVersion')}/${resource}/${name}` });
  }
  return userOf(at(made, 'spec'), 'CertificateSigningRequest');
};

/** A signing request with a key that is thrown away: it is never signed. */
const certificateRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHbMIGBAgEAMB8xHTAbBgNVBAMMFGt1YmUtYXBpLWNvbmZvcm1hbmNlMFkwEwYH
KoZIzj0CAQYIKoZIzj0DAQcDQgAEaTu7HrYC096Sa2pC9frIiKh1PxLfKytFogp/
okqTLoy/5TnwqcKDYCmVBRNp0uyEgROXSnloFU883tS/JhWqQKAAMAoGCCqGSM49
BAMCA0kAMEYCIQDyiB/bnifQ8nnehMsQMMEeZaYNBohhZY/J3vctLohdNQIhAKc3
yGSblcZNRnNyaDxVQjhlLzZe8AyxP2W4p/EKaWEO
-----END CERTIFICATE REQUEST-----
`;

/** A 403 names the user that it refuses. */
const refusal: Way = async (client, credential) => {
  const name = userNamedIn(await client.send({ method: 'GET', path: '/api/v1/nodes', as: credential }));
  return name === undefined ? undefined : { name, seenIn: 'a 403' };
};

/** Returns the user whom a 403 names; undefined for other responses. */
export function userNamedIn(reply: Reply): string | undefined {
  if (reply.status !== 403) return undefined;
  const message = at(reply.tryValue(), 'message');
  const text = typeof message === 'string' ? message : reply.bytes.toString('utf8', 0, 4_000);
  const quoted = /User ("(?:[^"\\]|\\.)*") cannot/.exec(text)?.[1];
  return quoted === undefined ? undefined : unquoted(quoted);
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}

const ways: readonly Way[] = [selfReview, tokenReview, signingRequest, refusal];

const strings = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : undefined;

function userOf(user: unknown, seenIn: string): UserIdentity | undefined {
  const [name, uid, groups, extra] = [at(user, 'username'), at(user, 'uid'), at(user, 'groups'), at(user, 'extra')];
  if (typeof name !== 'string') return undefined;
  return {
    name,
    ...(typeof uid === 'string' ? { uid } : {}),
    groups: strings(groups) ?? [],
    extra: Object.fromEntries(
      Object.entries(isObject(extra) ? extra : {}).map(([key, values]) => [key, strings(values) ?? []]),
    ),
    seenIn,
  };
}
