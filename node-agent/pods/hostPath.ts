// The files of a node, which `hostPath` volumes show: its pods share them, until the agent ends.
import { posix } from 'node:path';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { type Directory, type File, FileError, FileSystem } from '../kernel/fileSystem.js';
import { NotReady } from './referencedObjects.js';

/** Returns the files that a node has at first. */
export function hostFiles(): FileSystem {
  const files = new FileSystem();
  files.write('/etc/hosts', '127.0.0.1\tlocalhost\n');
  return files;
}

/**
 * Returns the directory or the file of a node that a volume shows, and makes it if its type allows that. Throws NotReady
 * in the words of a kubelet if something else is there.
 */
export function hostPathOf(files: FileSystem, { path, type = '' }: ObjectOf<'HostPathVolumeSource'>): Directory | File {
  const whole = posix.resolve('/', path);
  try {
    if (files.find(whole) === undefined) {
      if (type === '' || type === 'DirectoryOrCreate') files.makeDirectory(whole);
      if (type === 'FileOrCreate') files.write(whole, '');
    }
  } catch (error) {
    if (error instanceof FileError) throw new NotReady(error.message);
    throw error;
  }
  const found = files.find(whole);
  const wanted = type.startsWith('Directory') ? ['directory'] : type.startsWith('File') ? ['file'] : [];
  const isWanted = type === '' || (found !== undefined && wanted.includes(found.kind));
  if (isWanted && (found?.kind === 'directory' || found?.kind === 'file')) return found;
  throw new NotReady(`hostPath type check failed: ${path} is not a ${names[type] ?? 'directory or a file'}`);
}

const names: Readonly<Record<string, string>> = {
  Directory: 'directory',
  DirectoryOrCreate: 'directory',
  File: 'file',
  FileOrCreate: 'file',
  Socket: 'socket',
  CharDevice: 'character device',
  BlockDevice: 'block device',
};
