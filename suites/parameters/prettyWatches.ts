// Pretty printing of a watch: whatever its layout, it tells what the same watch tells without it.
import type { Operation } from '../../matrix/api/index.js';
import { equal, fail, holds } from '../support/expect.js';
import type { JsonObject } from '../support/json.js';
import type { Stream } from '../support/stream.js';
import { eventsAbout, type WatchEvent, watching } from '../support/watching.js';
import type { Context } from '../support/worker.js';
import { change, formOf, makeNamed, versionNow } from '../watch/forms.js';

/** The events of a create and of a change. */
const wanted = 2;
const mark = { metadata: { labels: { 'kube-api-conformance/changed': 'patched' } } };

/** Watches an object with `pretty=true` and without it while the object is created and changed. */
export async function watchPretty(operation: Operation, { client, scope }: Pick<Context, 'client' | 'scope'>) {
  const form = await formOf(operation, scope);
  const resourceVersion = await versionNow(scope, form);
  const open = <T>(query: { readonly pretty?: string }, read: (stream: Stream) => Promise<T>): Promise<T> =>
    watching(client, form.path, { resourceVersion, ...query }, read);
  const about = (stream: Stream): WatchEvent[] => eventsAbout(form.name, stream);
  return open({}, (plain) =>
    open({ pretty: 'true' }, async (pretty) => {
      await change(scope, await makeNamed(scope, form), mark);
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

/** Each event is the one that the watch without `pretty` told. What that does not tell is judged by the watch chapter. */
export function tellsTheSame({ request, plain, pretty }: Awaited<ReturnType<typeof watchPretty>>): void {
  equal(pretty.status, plain.status, `${request}: status, against the watch without pretty`);
  equal(pretty.unreadable, 0, `${request}: events that do not decode`);
  if (pretty.own.length < plain.own.length)
    fail(`${request}: ${pretty.own.length} events of that object; without pretty there are ${plain.own.length}`);
  for (const [index, { type, object }] of plain.own.entries()) {
    const told: JsonObject = pretty.own[index]?.object ?? {};
    equal(pretty.own[index]?.type, String(type), `${request}: the type of event ${index + 1}`);
    holds(told, object, `${request}: event ${index + 1} against the one without pretty`);
    holds(object, told, `${request}: the event without pretty against event ${index + 1}`);
  }
}
