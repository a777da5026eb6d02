// Pretty printing of a watch: it has the same events as the same watch without `pretty`, in any layout.
import type { Operation } from '../../matrix/api/index.js';
import { equal, fail } from '../client/expect.js';
import type { JsonObject } from '../client/json.js';
import type { Stream } from '../client/streams/stream.js';
import { eventsAbout, type WatchEvent, watching } from '../client/streams/watches.js';
import { isSame } from '../objects/effects/index.js';
import type { Context } from '../run/context.js';
import { change, formOf, makeNamed, versionNow } from '../watch/forms.js';

/** The number of events: a create and a change. */
const wanted = 2;
const mark = { metadata: { labels: { 'kube-api-conformance/changed': 'patched' } } };

/** Watches an object with `pretty=true` and without it while the object is created and changed. */
export async function watchPretty(operation: Operation, { client, sandbox }: Pick<Context, 'client' | 'sandbox'>) {
  const form = await formOf(operation, sandbox);
  const resourceVersion = await versionNow(sandbox, form);
  const open = <T>(query: { readonly pretty?: string }, read: (stream: Stream) => Promise<T>): Promise<T> =>
    watching(client, form.path, { resourceVersion, ...query }, read);
  const about = (stream: Stream): WatchEvent[] => eventsAbout(form.name, stream);
  return open({}, (plain) =>
    open({ pretty: 'true' }, async (pretty) => {
      await change(sandbox, await makeNamed(sandbox, form), mark);
      await Promise.all([plain, pretty].map((stream) => stream.until(() => about(stream).length >= wanted)));
      return { request: pretty.request, plain: watched(plain, about(plain)), pretty: watched(pretty, about(pretty)) };
    }),
  );
}

const watched = ({ status, events }: Stream, own: readonly WatchEvent[]) => ({
  status,
  unreadable: events.filter(({ value }) => value === undefined).length,
  own: own.slice(0, wanted),
});

/**
 * Throws Failure unless each event equals that of the watch without `pretty`. The watch chapter checks missing ones.
 */
export function hasSameEvents({ request, plain, pretty }: Awaited<ReturnType<typeof watchPretty>>): void {
  equal(pretty.status, plain.status, `${request}: status, against the watch without pretty`);
  equal(pretty.unreadable, 0, `${request}: events that do not decode`);
  if (pretty.own.length < plain.own.length)
    fail(`${request}: ${pretty.own.length} events of that object; without pretty there are ${plain.own.length}`);
  for (const [index, { type, object }] of plain.own.entries()) {
    const prettyObject: JsonObject = pretty.own[index]?.object ?? {};
    equal(pretty.own[index]?.type, String(type), `${request}: the type of event ${index + 1}`);
    isSame(prettyObject, object, `${request}: event ${index + 1} against the one without pretty`);
  }
}
