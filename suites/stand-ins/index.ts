// Starts the stand-ins, which are the servers that a server under test asks about credentials, and their control.
import { type Fixtures, type StandInName, standInNames } from '../fixtures/fixtures.js';
import { identityUsers, webhookUsers } from '../fixtures/users.js';
import { type BackendControl, controlOperations } from './control.js';
import { type ControlServer, serveControl } from './controlServer.js';
import { askedUser, IdentityService } from './identityService.js';
import { OidcIssuer } from './oidcIssuer.js';
import { type React, type ReceivedCall, SecureServer } from './secureServer.js';
import { reviewedToken, WebhookReviewer } from './webhookReviewer.js';

export interface StandIns extends BackendControl {
  /** The URL for connectControl in other processes. */
  readonly controlUrl: string;
  close(): Promise<void>;
}

/**
 * Starts the stand-ins on the ports of the fixtures, with their users. `domain` is the domain of the authentication
 * group. Rejects with the error of the socket if a port is in use; no stand-in is left running then.
 */
export async function startStandIns(fixtures: Fixtures, domain: string): Promise<StandIns> {
  const reviewer = new WebhookReviewer(domain);
  for (const [id, user] of Object.entries(webhookUsers)) {
    reviewer.set(fixtures.secrets.webhookTokenReview[id as keyof typeof webhookUsers], { authenticated: true, user });
  }
  const identity = new IdentityService();
  for (const [id, { name }] of Object.entries(identityUsers)) {
    identity.set(name, { password: fixtures.secrets.identityServicePassword[id as keyof typeof identityUsers] });
  }
  const issuer = await OidcIssuer.create(fixtures.openidConnect.clientId);
  const reactions: Record<StandInName, React> = {
    webhookReviewer: reviewer.react,
    oidcIssuer: issuer.react,
    identityService: identity.react,
  };
  const running = await startServers(fixtures, reactions);
  const subjects: Partial<Record<StandInName, (call: ReceivedCall) => string | undefined>> = {
    webhookReviewer: reviewedToken,
    identityService: askedUser,
  };
  const control: BackendControl = {
    setReview: async (token, reply) => reviewer.set(token, reply),
    setIdentityUser: async (username, user) => identity.set(username, user),
    mintIdToken: (request) => issuer.mint(running.oidcIssuer.url, request),
    rotateKeys: () => issuer.rotate(),
    calls: async (name, about, since = '') =>
      running[name].calls.all.filter(
        (call) => call.at >= since && (about === undefined || subjects[name]?.(call) === about || holds(call, about)),
      ),
    refusedHandshakes: async (name) => running[name].refusedHandshakes.all,
    setReachable: (name, reachable) => running[name].setReachable(reachable),
    showCertificate: async (name, which) => running[name].show(fixtures.standIns[which]),
  };
  const { url: controlUrl, close }: ControlServer = await serveControl(control, controlOperations);
  return {
    ...control,
    controlUrl,
    close: async () => {
      await Promise.all([close(), closeAll(Object.values(running))]);
    },
  };
}

async function startServers(
  { address, ports, standIns }: Fixtures,
  reactions: Record<StandInName, React>,
): Promise<Record<StandInName, SecureServer>> {
  const started: Partial<Record<StandInName, SecureServer>> = {};
  try {
    for (const name of standInNames) {
      const settings = { address, port: ports[name], identity: standIns.own };
      const clientCa = name === 'webhookReviewer' ? { clientCa: standIns.clientCa } : {};
      started[name] = await SecureServer.start({ ...settings, ...clientCa }, reactions[name]);
    }
  } catch (error) {
    await closeAll(Object.values(started));
    throw error;
  }
  return started as Record<StandInName, SecureServer>;
}

const holds = ({ path, query, headers, text }: ReceivedCall, about: string): boolean =>
  text.includes(about) || JSON.stringify([path, query, headers]).includes(about);

const closeAll = (servers: readonly SecureServer[]): Promise<unknown> =>
  Promise.all(servers.map((server) => server.close()));
