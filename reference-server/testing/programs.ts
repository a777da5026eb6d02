// The programs of other projects that tests start, such as etcd and nginx.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the path of a program on the PATH; undefined if there is none. */
export function onPath(name: string): string | undefined {
  return firstIn((process.env.PATH ?? '').split(delimiter), name);
}

/** Returns the path of a program: the one in KUBEBUILDER_ASSETS, else the first on the PATH; undefined if there is none. */
export function programPath(name: string): string | undefined {
  const { KUBEBUILDER_ASSETS: assets } = process.env;
  return (assets ? firstIn([assets], name) : undefined) ?? onPath(name);
}

function firstIn(folders: readonly string[], name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}
