// What the controller does about the errors of requests.
import { ApiException } from '@kubernetes/client-node';

const hasCode = (error: unknown, code: number): boolean => error instanceof ApiException && error.code === code;

/** Resolves with undefined if there is no such object. */
export const orMissing = <T>(request: Promise<T>): Promise<T | undefined> =>
  request.catch((error: unknown) => {
    if (!hasCode(error, 404)) throw error;
    return undefined;
  });

/** Resolves with undefined if another writer was faster: the object exists now, or is not what was read. */
export const orConflict = <T>(request: Promise<T>): Promise<T | undefined> =>
  request.catch((error: unknown) => {
    if (!hasCode(error, 409)) throw error;
    return undefined;
  });

/**
 * Reads an object, and writes what `change` makes of it, until no other writer came in between. `change` returns
 * undefined if there is nothing to write. Resolves with undefined if the object is gone.
 */
export async function update<T>(
  read: () => Promise<T>,
  change: (object: T) => T | undefined | Promise<T | undefined>,
  write: (object: T) => Promise<T>,
): Promise<T | undefined> {
  for (;;) {
    const there = await orMissing(read());
    if (there === undefined) return undefined;
    const changed = await change(there);
    if (changed === undefined) return there;
    const written = await orConflict(orMissing(write(changed)).then((object) => ({ object })));
    if (written !== undefined) return written.object;
  }
}
