// The image of Kubernetes' own tests, as far as its programs are simulated: `entrypoint-tester`, `mounttest` and `pause`.
import { FileError } from '../kernel/fileSystem.js';
import { type Process, type Program, ProgramError, pause } from '../kernel/process.js';
import { writeText } from '../kernel/streams.js';

/** What a flag of `mounttest` does with its path. The flags are done in this order, whatever theirs is. */
const flags: Readonly<Record<string, (process: Process, path: string) => Promise<string> | string>> = {
  fs_type: (process, path) => {
    const inode = process.sandbox.files.get(path);
    const type = inode.kind === 'directory' && inode.isInMemory ? 'tmpfs' : '61267';
    return `mount type of "${path}": ${type}\n`;
  },
  new_file_0644: (process, path) => newFile(process, path, 0o644),
  new_file_0666: (process, path) => newFile(process, path, 0o666),
  new_file_0660: (process, path) => newFile(process, path, 0o660),
  new_file_0777: (process, path) => newFile(process, path, 0o777),
  file_mode: (process, path) => `mode of file "${path}": ${modeOf(process, path)}\n`,
  file_perm: (process, path) => `perms of file "${path}": -${modeOf(process, path).slice(-9)}\n`,
  file_owner: (process, path) => {
    process.sandbox.files.get(path);
    return `owner UID of "${path}": 0\nowner GID of "${path}": 0\n`;
  },
  file_content: contentOf,
};

async function contentOf({ sandbox }: Process, path: string): Promise<string> {
  const input = sandbox.files.input(path);
  const parts: Buffer[] = [];
  for (let part = await input.read(); part !== undefined; part = await input.read()) parts.push(part);
  return `content of file "${path}": ${Buffer.concat(parts)}\n`;
}

function newFile(process: Process, path: string, mode: number): Promise<string> {
  process.sandbox.files.write(path, 'mount-tester new file\n', mode);
  return contentOf(process, path);
}

/** The mode of a file in letters, such as `-rw-r--r--`. */
function modeOf({ sandbox }: Process, path: string): string {
  const inode = sandbox.files.get(path);
  const bits = [...'rwxrwxrwx'].map((letter, at) => (inode.mode & (1 << (8 - at)) ? letter : '-')).join('');
  return (inode.kind === 'directory' ? 'd' : '-') + bits;
}

/** `mounttest --FLAG=PATH…`: writes what a container finds at its paths. */
const mountTest: Program = async (process) => {
  const given = new Map(
    process.argv.slice(2).map((argument) => {
      const [, name = '', path = ''] = /^--([a-z0-9_]+)=(.*)$/.exec(argument) ?? [];
      if (!Object.hasOwn(flags, name)) throw new ProgramError(`mounttest: the flag ${argument} is not simulated`, 2);
      return [name, path];
    }),
  );
  let code = 0;
  for (const [name, act] of Object.entries(flags)) {
    const path = given.get(name);
    if (path === undefined) continue;
    try {
      await writeText(process.stdout, await act(process, path));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      await writeText(process.stdout, `error reading ${error.message}\n`);
      code = 1;
    }
  }
  return code;
};

/** Runs `agnhost PROGRAM ARGUMENT…`; without a program, `pause`. */
export const agnhost: Program = async (process) => {
  const [, name = 'pause'] = process.argv;
  if (name === 'mounttest') return mountTest(process);
  if (name === 'entrypoint-tester') {
    await writeText(process.stdout, `[${process.argv.join(' ')}]\n`);
    return 0;
  }
  if (name !== 'pause') {
    throw new ProgramError(`"${name}" is not simulated; entrypoint-tester, mounttest and pause are`, 2);
  }
  await writeText(process.stdout, 'Paused\n');
  await pause(process.signal);
  return 0;
};
