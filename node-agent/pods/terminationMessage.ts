// What a container says at its end: the file that it may write, or the end of its log.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { Container } from '../containers/container.js';

/** The file where a container writes its last message, unless it names another. */
export const usualMessagePath = '/dev/termination-log';

/** The most bytes of a message, and the most bytes and lines of one that is taken from the log. */
const [most, mostOfLog, mostLines] = [4096, 2048, 80];

/** Returns the last message of a container that has ended; the empty text if it has none. */
export async function terminationMessage(
  { log, sandbox, exitCode }: Container,
  { terminationMessagePath: path = usualMessagePath, terminationMessagePolicy: policy }: ObjectOf<'Container'>,
): Promise<string> {
  const file = sandbox.files.find(path);
  const written = file?.kind === 'file' ? Buffer.concat([...file.chunks()]).subarray(0, most) : '';
  if (written.length > 0 || policy !== 'FallbackToLogsOnError' || exitCode === 0) return written.toString();
  const parts: Buffer[] = [];
  for await (const part of log.read({ tailLines: mostLines }, new AbortController().signal)) parts.push(part);
  return Buffer.concat(parts).subarray(-mostOfLog).toString();
}
