// Fixtures for a server of the tests.
import { writeNewFiles } from '../../test-certs/index.js';
import { makeFixtures, readFixtures } from '../fixtures/make.js';

/** Writes new fixtures, as the command does. The ports of their backends are held until this process ends. */
export async function writeTestFixtures(directory: string): ReturnType<typeof readFixtures> {
  const choices = { ip: '127.0.0.1', names: [], standInsAddress: '127.0.0.1' };
  await writeNewFiles(directory, await makeFixtures(choices), true);
  return readFixtures(directory);
}
