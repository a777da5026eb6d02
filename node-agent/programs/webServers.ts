// Web servers that serve the files of their container: nginx, httpd, the httpd of busybox, and Kubernetes' test-webserver.
import { posix } from 'node:path';
import { FileError } from '../kernel/fileSystem.js';
import { type Process, type Program, ProgramError } from '../kernel/process.js';
import { outputTo } from '../kernel/streams.js';
import { parseFlags } from './flags.js';
import { type Answer, respond, serveHttp, targetOf } from './httpServer.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.xml': 'text/xml',
};

interface Site {
  /** The directory of the files. */
  readonly root: string;
  /** The header `Server`, if there is one. */
  readonly server?: string;
  /** Whether a directory without an index is listed. */
  readonly lists?: boolean;
}

/** Returns what serves the files below a directory, by `GET` and `HEAD`. */
function filesOf({ sandbox: { files } }: Process, { root, server, lists = false }: Site): Answer {
  const send = async (path: string, response: Parameters<Answer>[1], isHead: boolean) => {
    const inode = files.get(path);
    if (inode.kind === 'device') throw new FileError(path, 'missing');
    if (inode.kind === 'directory') {
      const index = posix.join(path, 'index.html');
      if (files.find(index) !== undefined) return send(index, response, isHead);
      if (!lists) return respond(response, '403 Forbidden\n', 403);
      const names = files.list(path).map((name) => `<a href="${name}">${name}</a>\n`);
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(`<pre>\n${names.join('')}</pre>\n`);
      return;
    }
    const type = types[posix.extname(path)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-length': inode.size });
    if (!isHead) {
      const output = outputTo(response);
      for await (const chunk of files.input(path)) await output.write(chunk);
    }
    response.end();
  };
  return async (request, response) => {
    if (server !== undefined) response.setHeader('server', server);
    if (request.method !== 'GET' && request.method !== 'HEAD') return respond(response, '405 Not Allowed\n', 405);
    try {
      await send(posix.join(root, posix.join('/', targetOf(request).path)), response, request.method === 'HEAD');
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      respond(response, '404 Not Found\n', 404);
    }
  };
}

/** Makes the server of an image, whose page is there unless a volume is at its place. */
const imageServer =
  (name: string, site: Site, page: string): Program =>
  async (process) => {
    const { files } = process.sandbox;
    const supported = name === 'nginx' ? /^(-g|daemon off;)$/ : /^-D(FOREGROUND)?$|^FOREGROUND$/;
    const other = process.argv.slice(1).find((argument) => !supported.test(argument));
    if (other !== undefined) throw new ProgramError(`${other} is not simulated`, 2);
    if (files.find(site.root) === undefined) {
      files.makeDirectory(site.root);
      files.write(posix.join(site.root, 'index.html'), page);
    }
    return await serveHttp(process, { plain: [80] }, filesOf(process, site));
  };

/** `nginx`, on port 80. Its configuration is not read. */
export const nginx = imageServer(
  'nginx',
  { root: '/usr/share/nginx/html', server: 'nginx' },
  '<!DOCTYPE html>\n<html>\n<head>\n<title>Welcome to nginx!</title>\n</head>\n<body>\n' +
    '<h1>Welcome to nginx!</h1>\n<p>This page is simulated.</p>\n</body>\n</html>\n',
);

/** `httpd-foreground`, on port 80. Its configuration is not read. */
export const apache = imageServer(
  'httpd',
  { root: '/usr/local/apache2/htdocs', server: 'Apache' },
  '<html><body><h1>It works!</h1></body></html>\n',
);

/** Makes the server of an image of Kubernetes' update demo, whose `/data.json` names a picture. */
export const updateDemo =
  (picture: string): Program =>
  async (process) => {
    const root = '/html';
    process.sandbox.files.makeDirectory(root);
    process.sandbox.files.write(posix.join(root, 'data.json'), JSON.stringify({ image: picture }));
    return await serveHttp(process, { plain: [80] }, filesOf(process, { root }));
  };

/** `httpd -f [-v] [-p [ADDRESS:]PORT] [-h DIRECTORY]` of busybox. */
export const httpd: Program = async (process) => {
  const { flags, valuesOf } = parseFlags(process.argv.slice(1), { flags: ['-f', '-v'], valued: ['-p', '-h'] });
  if (!flags.has('-f')) throw new ProgramError('only httpd -f, in the foreground, is supported', 2);
  const [port = '80'] = valuesOf('-p');
  const root = posix.resolve(process.directory, valuesOf('-h')[0] ?? '');
  return await serveHttp(process, { plain: [portIn(port)] }, filesOf(process, { root }));
};

/** `test-webserver [--port PORT]` of agnhost: serves all files of its container. */
export const testWebserver: Program = async (process) => {
  const { valuesOf } = parseFlags(process.argv.slice(2), { valued: ['--port'] });
  return await serveHttp(
    process,
    { plain: [portIn(valuesOf('--port')[0] ?? '80')] },
    filesOf(process, { root: '/', lists: true }),
  );
};

function portIn(text: string): number {
  const port = Number(text.slice(text.lastIndexOf(':') + 1));
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new ProgramError(`"${text}" is not a port`);
}
