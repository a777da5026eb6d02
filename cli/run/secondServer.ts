// A second server like the target, for cases that restart a server: started on demand, with a copy of the fixtures.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type SecondServer,
  type SecondServerAddress,
  secondServerOperations,
  serveControl,
  type UserFile,
} from '../../suites/index.js';

export interface StartedSecondServer {
  readonly target: SecondServerAddress;
  stop(): Promise<void>;
}

/** The control of the second server, for the suite's workers. */
interface Served {
  readonly url: string;
  /** Stops the second server too, if it runs, and removes its files. */
  close(): Promise<void>;
}

const files: readonly UserFile[] = ['tokens.csv', 'passwords.csv', 'webhook.kubeconfig'];

/** Offers a second server that `start` starts with the fixtures in a folder. Starts it only on request. */
export async function serveSecondServer(
  fixtures: string,
  start: (directory: string) => Promise<StartedSecondServer>,
): Promise<Served> {
  let copy: string | undefined;
  let running: StartedSecondServer | undefined;
  const directory = async (): Promise<string> => {
    if (copy === undefined) {
      copy = await mkdtemp(join(tmpdir(), 'kube-api-conformance-second-'));
      await cp(fixtures, copy, { recursive: true });
    }
    return copy;
  };
  const stop = async (): Promise<void> => {
    const stopped = running;
    running = undefined;
    await stopped?.stop();
  };
  const restore = async (): Promise<void> => {
    const removed = copy;
    copy = undefined;
    if (removed !== undefined) await rm(removed, { recursive: true, force: true });
  };
  const server: SecondServer = {
    start: async () => {
      if (running !== undefined) throw new Error('the second server runs already');
      running = await start(await directory());
      const { url, ca } = running.target;
      return { url, ...(ca === undefined ? {} : { ca }) };
    },
    stop,
    change: async (file, from, to) => {
      if (!files.includes(file)) throw new Error('no file of users');
      const path = join(await directory(), file);
      const text = await readFile(path, 'utf8');
      if (!text.includes(from)) throw new Error(`${file} does not hold what is to be replaced`);
      await writeFile(
        path,
        text.replace(from, () => to),
      );
    },
    restore,
  };
  const control = await serveControl(server, secondServerOperations);
  return {
    url: control.url,
    close: async () => {
      await control.close();
      await stop();
      await restore();
    },
  };
}
