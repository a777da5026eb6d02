// Watches of objects that a controller removes, on which no client acts.
import { fail } from '../client/expect.js';
import { at } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { eventsOf, watching } from '../client/streams/watches.js';
import { versionOf } from '../objects/effects/index.js';
import type { CreatedObject } from '../objects/sandbox.js';
import type { Context } from '../run/context.js';

/** Seconds of a watch: a controller may be away for a while. */
const timeoutSeconds = 600;

/**
 * Watches objects while a function runs. Returns its result, and the objects that are gone and whose watch has not
 * reported it. A watch that the server refuses or ends says nothing: the chapter watch judges that.
 */
export async function watchingRemovals<T>(
  context: Context,
  [made, ...others]: readonly CreatedObject[],
  act: () => Promise<T>,
): Promise<{ readonly result: T; readonly untold: readonly CreatedObject[] }> {
  if (made === undefined) return { result: await act(), untold: [] };
  const { client, sandbox } = context;
  const { resource, name, namespace, object } = made;
  const query = { resourceVersion: versionOf(object) ?? '', fieldSelector: `metadata.name=${name}`, timeoutSeconds };
  return watching(client, pathTo(resource, 'list', namespace), query, async (stream) => {
    const { result, untold } = await watchingRemovals(context, others, act);
    const isOver = (): boolean =>
      eventsOf(stream).some(
        (event) => event.type === 'ERROR' || (event.type === 'DELETED' && isOf(made, event.object)),
      );
    // After one that is not told, the others are not waited for.
    if (untold.length > 0 || (await sandbox.current(made)) !== undefined) return { result, untold };
    const isSilent = !(await stream.until(isOver)) && stream.end === undefined;
    return { result, untold: isSilent ? [made] : [] };
  });
}

const isOf = ({ object }: CreatedObject, other: unknown): boolean =>
  at(object, 'metadata', 'uid') === at(other, 'metadata', 'uid');

/** Throws Failure unless the watches have reported each removal. */
export function areTold(untold: readonly CreatedObject[], request: string): void {
  const [first] = untold;
  if (first !== undefined)
    fail(`${request}: ${first.resource.plural}/${first.name} is gone, and a watch has no DELETED of it`);
}
