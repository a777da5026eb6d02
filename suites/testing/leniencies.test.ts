// Every place that spares right servers a wrong alarm, and a fault that would hide behind it if it spared wrong ones too.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faults } from './faults/index.js';

/** The file of a leniency, the right servers that need it, and what must not hide there. */
const leniencies: readonly (readonly [file: string, spares: string, faults: readonly string[]])[] = [
  [
    'objects/eventually.ts',
    'controllers that act some time later',
    ['leaves what was in a namespace', 'never counts for a quota'],
  ],
  [
    'objects/controllers.ts',
    'controllers that are away for a while',
    ['leaves Secrets in a namespace that is Terminating'],
  ],
  [
    'objects/overwritten.ts',
    'controllers that overwrite a write at once',
    ['answers every read of a status with an empty one', 'tells watches nothing of a write of a status'],
  ],
  [
    'objects/subresourceCalls.ts',
    'controllers that write the status at once',
    ['drops a status after it has told watches of it'],
  ],
  [
    'objects/callParts.ts',
    'a conflict with a controller, and an effect that comes later',
    ['reports a write of a status and does not do it'],
  ],
  ['objects/validCalls.ts', 'a conflict with a controller', ['refuses a replace with the current version']],
  ['objects/writes.ts', 'a conflict with a controller', ['refuses every replace']],
  ['objects/sandbox.ts', 'a conflict with a controller', ['refuses every replace']],
  [
    'objects/atRest.ts',
    'another writer between two reads',
    ['gives every read another version', 'shows as YAML what was there before a replace'],
  ],
  [
    'objects/unchanged.ts',
    'another writer, which metadata.managedFields names',
    ['changes an object at each read, and names a controller as its writer'],
  ],
  [
    'objects/refused.ts',
    'a controller that writes soon after a create',
    ['stores a stale patch and answers with a conflict'],
  ],
  ['objects/effects/observe.ts', 'a conflict with a controller', ['refuses every replace']],
  [
    'objects/effects/settled.ts',
    'a controller that writes soon after a create',
    ['does a replace that it refuses, as watches show'],
  ],
  [
    'objects/effects/refused.ts',
    'a controller that writes the object, or the other one that a write names',
    [
      'does a write of a status that it refuses, as watches show',
      'writes the status of the object that the body names, and refuses it',
    ],
  ],
  [
    'objects/races.ts',
    'a controller that writes first',
    ['refuses everybody in a race', 'lets each replace of a race win'],
  ],
  [
    'objects/revisions.ts',
    'servers without a controller of revisions',
    ['rolls back to the first revision, whatever it is asked'],
  ],
  ['objects/accountTokens.ts', 'servers that create no token Secrets', ['lets nobody in by the token of an account']],
  [
    'objects/effects/codecs.ts',
    'another writer between two reads',
    ['shows as protobuf what was there before a replace'],
  ],
  ['objects/kinds/samples.ts', 'a conflict with a controller', ['refuses every replace']],
  ['run/cases.ts', 'a record that comes later', ['never counts for a quota']],
  [
    'run/mutations.ts',
    'servers whose webhooks change each object',
    ['takes the images of pods from a mirror, with a webhook for jobs'],
  ],
  ['run/policies.ts', 'policies of the owner of a target', ['blames a webhook that it does not have']],
  ['run/runningPods.ts', 'nodes that are slow to run a pod', ['loses the exit status of a command']],
  [
    'run/features/controllers.ts',
    'servers without some controllers',
    ['writes no status of a quota, as one without controllers'],
  ],
  [
    'run/features/plugins.ts',
    'servers without some admission plug-ins',
    ['takes pods beyond their limits, and gives them the defaults'],
  ],
  ['run/credentials/openidConnect.ts', 'servers that read the keys of the provider late', ['knows no ID tokens']],
  [
    'run/outlived.ts',
    'servers that remember a user for a while, and clocks that differ',
    ['knows an ID token for good that it knew once', 'looks at a certificate when the connection begins alone'],
  ],
];

const suites = join(import.meta.dirname, '..');
const lenient =
  /\bconflicts\b|\b(eventually|whenControlled|inTime|findEarlierState|showedOnce|readAtRest|otherWriter|knownPolicy|changedField)\(/;

/** The files below the chapters that wait, try again or give up. */
const found = ['client', 'objects', 'run']
  .flatMap((folder) =>
    readdirSync(join(suites, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .filter((file) => lenient.test(readFileSync(join(suites, file), 'utf8')));

it('every file that spares right servers is in the table', () => {
  const known = leniencies.map(([file]) => file);
  expect(found.filter((file) => !known.includes(file)).sort()).toEqual([]);
  expect(known.filter((file) => !found.includes(file))).toEqual([]);
});

it.each(leniencies)('%s, which spares %s, hides no fault', (_, _spares, names) => {
  const known = new Map(faults.map(({ name, fails }) => [name, fails]));
  for (const name of names) expect(known.get(name), `the fault "${name}"`).toBeDefined();
});
