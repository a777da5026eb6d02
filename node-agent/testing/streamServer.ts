// A server of streams only: exec and port-forward at paths that end in these names, and the pod that kubectl requests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type DialPort, servePortForward } from '../streaming/portForward.js';
import { type RunRemoteCommand, serveRemoteCommand } from '../streaming/remoteCommand.js';

/** Returns what runs for the argv of a request. */
export type RemoteProgram = (argv: readonly string[]) => RunRemoteCommand;

export interface StreamServer extends AsyncDisposable {
  readonly port: number;
  /** One promise for each request so far. */
  readonly served: readonly Promise<void>[];
  /** The requested upgrade of each request. */
  readonly upgrades: readonly string[];
}

interface Behaviour {
  readonly program?: RemoteProgram;
  readonly dial?: DialPort;
  readonly streamCreationTimeout?: number;
  readonly halfClosedTimeout?: number;
}

export async function startStreamServer({ program, dial, ...timing }: Behaviour): Promise<StreamServer> {
  const served: Promise<void>[] = [];
  const upgrades: string[] = [];
  const sockets = new Set<Duplex>();
  const serve = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand.in');
    upgrades.push(request.headers.upgrade ?? '');
    const isSet = (name: string) => ['1', 'true'].includes(searchParams.get(name) ?? '');
    if (pathname.endsWith('/portforward')) {
      const ports = searchParams.getAll('port').map(Number);
      served.push(servePortForward({ request, socket, head }, ports, dial ?? unreachable, timing));
    } else {
      const [stdin, stdout, stderr, tty] = ['stdin', 'stdout', 'stderr', 'tty'].map(isSet) as [
        boolean,
        boolean,
        boolean,
        boolean,
      ];
      const run = (program ?? nothing)(searchParams.getAll('command'));
      served.push(serveRemoteCommand({ request, socket, head }, { stdin, stdout, stderr, tty, ...timing }, run));
    }
  };
  const server = createServer((request, response) => {
    const isStream = /\/(exec|attach|portforward)(\?|$)/.test(request.url ?? '');
    if (isStream) serve(request, request.socket, Buffer.alloc(0));
    else answer(request, response);
  });
  server.on('upgrade', serve);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    served,
    upgrades,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all(served);
    },
  };
}

const nothing: RemoteProgram = () => async () => ({ exitCode: 0 });
const unreachable: DialPort = async () => Promise.reject(new Error('connection refused'));

const pod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'web', namespace: 'default' },
  spec: { containers: [{ name: 'web', image: 'web' }] },
  status: { phase: 'Running' },
};
const documents: Readonly<Record<string, unknown>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [{ name: 'pods', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get'] }],
  },
  '/api/v1/namespaces/default/pods/web': pod,
};

function answer(request: IncomingMessage, response: ServerResponse): void {
  const document = documents[(request.url ?? '').split('?')[0] ?? ''];
  response.writeHead(document === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(document ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404 }));
}
