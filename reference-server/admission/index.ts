// The admission plugins, a row each: what they fill in is validated, and what they judge is ready to be stored.
import { limitRanger } from './limitRanger.js';
import { namespaceLifecycle } from './namespaceLifecycle.js';
import type { Admission, Creation, Plugin, Settle, Writing } from './plugin.js';
import { resourceQuota } from './resourceQuota.js';
import { serviceAccount } from './serviceAccount.js';
import { serviceAccountTokens } from './serviceAccountTokens.js';

/** In the order in which they are asked. The quota is last: it counts only what nothing else refuses. */
const plugins: readonly Plugin[] = [
  namespaceLifecycle,
  serviceAccountTokens,
  serviceAccount,
  limitRanger,
  resourceQuota,
];

const judged = new Set(plugins.flatMap(({ judgesUpdates = [] }) => judgesUpdates));

/** Whether updates of a stored resource have to be admitted too. */
export const judgesUpdates = (stored: string): boolean => judged.has(stored);

const concerned = new Map<string, readonly Plugin[]>();

/** The plugins that are about a stored resource. */
function pluginsOf(stored: string): readonly Plugin[] {
  let found = concerned.get(stored);
  if (found === undefined) {
    found = plugins.filter(({ resources }) => resources === undefined || resources.includes(stored));
    concerned.set(stored, found);
  }
  return found;
}

/** Whether a plugin takes part in a write: not on a server that lacks what it is for. */
const takesPart = ({ feature }: Plugin, { registry }: Admission): boolean =>
  feature === undefined || !registry.lacks(feature);

/** Lets every plugin fill in a new object. */
export async function fillIn(creation: Creation): Promise<void> {
  for (const plugin of pluginsOf(creation.stored)) {
    if (plugin.fill && takesPart(plugin, creation)) await plugin.fill(creation);
  }
}

/** Writes what every plugin admits. */
export async function admitted<T>(writing: Writing, write: () => Promise<T>): Promise<T> {
  const begun: Settle[] = [];
  let written = false;
  try {
    for (const plugin of pluginsOf(writing.stored)) {
      const settle = plugin.judge && takesPart(plugin, writing) && (await plugin.judge(writing));
      if (settle) begun.push(settle);
    }
    const result = await write();
    written = true;
    return result;
  } finally {
    for (const settle of begun) await settle(written);
  }
}
