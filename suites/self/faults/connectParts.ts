// What the rows of servers that break connections are made of.
import type { Fault, Passing, Piece } from './parts.js';

const pod = '/api/v1/namespaces/{namespace}/pods/{name}';

/** What the ids of the cases of an operation over one transport contain. */
const casesOf = (operation: string) => ({
  socket: `GET ${pod}/${operation}, v4.channel.k8s.io`,
  closingSocket: `GET ${pod}/${operation}, v5.channel.k8s.io`,
  base64: `GET ${pod}/${operation}, v4.base64.channel.k8s.io`,
  spdy: `POST ${pod}/${operation}, SPDY/3.1`,
  /** Of a requirement that is the same over all transports. */
  only: (requirement: string) => `connect.${requirement} › GET ${pod}/${operation}`,
});

export const exec = casesOf('exec');
export const attach = casesOf('attach');
export const portForward = casesOf('portforward');

type Broken = Omit<Fault, 'name' | 'grep' | 'fails' | 'chapters'>;

/** A server that fails these requirements, and no other, of all that the cases with this text in their ids judge. */
export const on = (grep: string, fails: readonly string[], name: string, broken: Broken): Fault => ({
  name,
  grep,
  chapters: ['connect'],
  fails: fails.map((requirement) => `connect.${requirement}`),
  ...broken,
});

export const isConnect = ({ path }: Pick<Passing, 'path'>): boolean => /\/(exec|attach|portforward)(\?|$)/.test(path);

/** Takes the query of a connection for another one. */
export const reads = (change: (query: URLSearchParams) => void): Pick<Fault, 'request'> => ({
  request: (passing) => {
    if (!isConnect(passing)) return passing;
    const url = new URL(passing.path, 'http://server');
    change(url.searchParams);
    return { ...passing, path: url.pathname + url.search };
  },
});

/** Changes what one end sends on a stream, or on all of them. */
export const changes = (
  from: Piece['from'],
  stream: string | undefined,
  change: (piece: Piece) => Piece | undefined,
): Pick<Fault, 'piece'> => ({
  piece: () => (piece) => {
    if (piece.from !== from || (stream !== undefined && piece.stream !== stream)) return [piece];
    const changed = change(piece);
    return changed === undefined ? [] : [changed];
  },
});

/** Loses what one end sends on a stream, but for its end. */
export const loses = (from: Piece['from'], stream: string): Pick<Fault, 'piece'> =>
  changes(from, stream, (piece) => (piece.last ? { ...piece, content: Buffer.alloc(0) } : undefined));

/** Loses what one end sends on a stream after so many bytes. */
export const cutsAfter = (from: Piece['from'], stream: string, bytes: number): Pick<Fault, 'piece'> => ({
  piece: () => {
    let left = bytes;
    return (piece) => {
      if (piece.from !== from || piece.stream !== stream) return [piece];
      const content = piece.content.subarray(0, left);
      left -= content.length;
      return content.length > 0 || piece.last ? [{ ...piece, content }] : [];
    };
  },
});
