// `nettest` of the image of Kubernetes' own tests, as a server alone: it records who has written to it.
import { type Program, ProgramError } from '../kernel/process.js';
import { parseFlags } from './flags.js';
import { respond, serveHttp, targetOf } from './httpServer.js';

/** The most bytes of a body. */
const mostBytes = 65_536;

/** `nettest [-port PORT]`: `/write` takes `{"Source":"NAME"}`, `/read` tells how often each name came. It contacts no peers. */
export const nettest: Program = async (process) => {
  const args = process.argv.slice(2).map((argument) => argument.replace(/^-(?=[a-z])/, '--'));
  const { valuesOf } = parseFlags(args, {
    valued: ['--port', '--peers', '--service', '--namespace', '--delay-shutdown'],
  });
  const [port = '8080'] = valuesOf('--port');
  if (valuesOf('--service').length > 0 || Number(valuesOf('--peers')[0] ?? 0) > 0) {
    throw new ProgramError('nettest: peers are not simulated; give none of -peers and -service', 2);
  }
  const received = new Map<string, number>();
  const { hostname } = process.sandbox;
  return await serveHttp(process, { plain: [Number(port)] }, async (request, response) => {
    const { path } = targetOf(request);
    if (path === '/status') return respond(response, 'pass');
    if (path === '/read') {
      const state = {
        Hostname: hostname,
        Sent: {},
        Received: Object.fromEntries(received),
        Errors: [],
        Log: [],
        StillContactingPeers: false,
      };
      return respond(response, JSON.stringify(state));
    }
    if (path !== '/write') return respond(response, '404 page not found\n', 404);
    let body = '';
    for await (const chunk of request) {
      body += chunk;
      if (body.length > mostBytes) return respond(response, 'the body is too large', 413);
    }
    const source = sourceIn(body);
    if (source === undefined) return respond(response, 'give {"Source":"NAME"}', 400);
    received.set(source, (received.get(source) ?? 0) + 1);
    respond(response, JSON.stringify({ Hostname: hostname }));
  });
};

/** Returns undefined for what is no message. */
function sourceIn(body: string): string | undefined {
  try {
    const { Source: source } = JSON.parse(body) as { readonly Source?: unknown };
    return typeof source === 'string' ? source : undefined;
  } catch {
    return undefined;
  }
}
