// An identity service that a server asks about passwords: token requests of Keystone's v2.0 interface.
import { randomBytes } from 'node:crypto';
import { at } from '../client/json.js';
import { standInPaths } from '../fixtures/fixtures.js';
import type { Reaction, ReceivedCall } from './secureServer.js';

export interface IdentityUser {
  readonly password: string;
  /** Returned instead of a token, for any password. */
  readonly httpStatus?: number;
  /** Accepts the call and sends no response, or closes the connection. */
  readonly instead?: 'silence' | 'reset';
}

const { identityService: root } = standInPaths;

export function askedUser({ body }: ReceivedCall): string | undefined {
  const name = at(body, 'auth', 'passwordCredentials', 'username');
  return typeof name === 'string' ? name : undefined;
}

export class IdentityService {
  readonly #users = new Map<string, IdentityUser>();

  set(username: string, user: IdentityUser): void {
    this.#users.set(username, user);
  }

  readonly react = (call: ReceivedCall, url: string): Reaction => {
    const { method, path, body } = call;
    const version = { id: 'v2.0', status: 'stable', links: [{ rel: 'self', href: `${url}${root}/` }] };
    if (method === 'GET' && path === '/') return { status: 300, body: { versions: { values: [version] } } };
    if (method === 'GET' && path.replace(/\/$/, '') === root) return { status: 200, body: { version } };
    if (path !== `${root}/tokens`) return fault(404, 'Not Found', `nothing at ${path}`);
    if (method !== 'POST') return fault(405, 'Method Not Allowed', 'tokens are asked for with POST');
    const username = askedUser(call);
    const password = at(body, 'auth', 'passwordCredentials', 'password');
    if (username === undefined || typeof password !== 'string') {
      return fault(400, 'Bad Request', 'auth.passwordCredentials needs username and password');
    }
    const user = this.#users.get(username);
    if (user?.instead !== undefined) return user.instead;
    if (user?.httpStatus !== undefined) return fault(user.httpStatus, 'Error', 'as it was told');
    if (user?.password !== password) return fault(401, 'Unauthorized', 'Invalid user / password');
    return { status: 200, body: granted(username) };
  };
}

const fault = (code: number, title: string, message: string): Reaction => ({
  status: code,
  body: { error: { code, title, message } },
});

function granted(username: string): unknown {
  const now = Date.now();
  return {
    access: {
      token: {
        id: randomBytes(16).toString('hex'),
        issued_at: new Date(now).toISOString(),
        expires: new Date(now + 3_600_000).toISOString(),
      },
      serviceCatalog: [],
      user: { id: Buffer.from(username).toString('hex'), name: username, username, roles: [], roles_links: [] },
      metadata: { is_admin: 0, roles: [] },
    },
  };
}
