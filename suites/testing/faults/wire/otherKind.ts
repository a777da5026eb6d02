// The same fault on a kind that the table lacks: its edits see the kind under the name of a kind of the interface.
import type { JsonObject } from '../../../client/json.js';
import type { Broken, Fault, WireReply, WireRequest } from './fault.js';

/** A kind by its names on the wire; `field` is the field that holds what its objects say. */
export interface WireKind {
  /** The path before the plural, without a namespace: `/api/v1`. */
  readonly prefix: string;
  readonly plural: string;
  readonly kind: string;
  readonly field: string;
}

/** The kinds of the interface that the rows of faults name. */
const ofInterface: readonly WireKind[] = [
  { prefix: '/api/v1', plural: 'configmaps', kind: 'ConfigMap', field: 'data' },
  { prefix: '/api/v1', plural: 'limitranges', kind: 'LimitRange', field: 'spec' },
  { prefix: '/api/v1', plural: 'secrets', kind: 'Secret', field: 'data' },
];

/** Returns the kind of the interface that a row names; undefined for a row about another kind, or about none. */
export const kindOfRow = ({ grep }: Fault): WireKind | undefined =>
  ofInterface.find(({ plural }) => new RegExp(`/?${plural}\\b`).test(grep));

/** Returns the text of a row that chooses cases, for the cases of another kind. A watch prefix becomes the list. */
export function grepFor({ grep }: Fault, from: WireKind, to: WireKind): string {
  return grep
    .replace('/api/v1/watch/', '/api/v1/')
    .replace(`${from.prefix}/namespaces/`, `${to.prefix}/namespaces/`)
    .replace(`${from.prefix}/${from.plural}`, `${to.prefix}/${to.plural}`)
    .replace(from.plural, to.plural);
}

/** Returns the edits of a fault for another kind. */
export function forKind(fault: Broken, from: WireKind, to: WireKind): Broken {
  const own = new Names(to, from);
  const { request, reply, watch, ...rest } = fault;
  return {
    ...rest,
    ...(request && {
      request: async (given, users) => {
        if (!own.isAbout(given)) return request(given, users);
        const changed = await request(own.seen(given), users);
        return 'status' in changed ? own.sent(changed) : own.asked(changed);
      },
    }),
    ...(reply && {
      reply: (given, about) => {
        if (!own.isAbout(about)) return reply(given, about);
        return own.sent(reply(own.seenReply(given), own.seen(about)));
      },
    }),
    ...(watch && {
      watch: (about) => {
        if (!own.isAbout(about)) return watch(about);
        const change = watch(own.seen(about));
        return async (event) => {
          const given = event && { ...event, object: JSON.parse(own.text(JSON.stringify(event.object))) as JsonObject };
          return (await change(given)).map((line) => own.back(line));
        };
      },
    }),
  };
}

/** The names of one kind in the place of those of another. */
class Names {
  readonly #ofPath: RegExp;

  constructor(
    private readonly own: WireKind,
    private readonly shown: WireKind,
  ) {
    this.#ofPath = new RegExp(`^${own.prefix}(/namespaces/[^/]+)?/${own.plural}(?=[/?]|$)`);
  }

  isAbout({ path }: WireRequest): boolean {
    return this.#ofPath.test(path);
  }

  /** Returns a request as the edits see it. */
  seen(request: WireRequest): WireRequest {
    const path = request.path.replace(this.#ofPath, `${this.shown.prefix}$1/${this.shown.plural}`);
    return { ...request, path, body: this.text(request.body) };
  }

  /** Returns a request as the server gets it. */
  asked(request: WireRequest): WireRequest {
    const { prefix, plural } = this.shown;
    const path = new RegExp(`^${prefix}(/namespaces/[^/]+)?/${plural}(?=[/?]|$)`);
    const to = `${this.own.prefix}$1/${this.own.plural}`;
    return { ...request, path: request.path.replace(path, to), body: this.back(request.body) };
  }

  seenReply(reply: WireReply): WireReply {
    return { ...reply, body: this.text(reply.body) };
  }

  sent(reply: WireReply): WireReply {
    return { ...reply, body: this.back(reply.body) };
  }

  text(body: string): string {
    return renamed(body, this.own, this.shown);
  }

  back(body: string): string {
    return renamed(body, this.shown, this.own);
  }
}

// Texts and not values: bodies that are malformed on purpose stay so.
function renamed(text: string, from: WireKind, to: WireKind): string {
  return text
    .replace(new RegExp(`("?kind"?: ?"?)${from.kind}(List)?(?![A-Za-z])`, 'g'), `$1${to.kind}$2`)
    .replace(new RegExp(`"${from.field}":`, 'g'), `"${to.field}":`)
    .replace(new RegExp(`^${from.field}:`, 'gm'), `${to.field}:`);
}
