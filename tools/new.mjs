// `npm run new requirement <chapter>.<name> [subjects]` writes the skeletons of a requirement: its row, a check that fails, its fault,
// and its id in the lock. `npm run new ids` rewrites the lock from the requirements.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const lock = 'suites/requirements/ids.txt';
const usage = `usage: npm run new requirement <chapter>.<name> [subjects]
       npm run new ids
A name is in kebab case. "subjects" is a set of matrix/subjects; by default that of the last row of the chapter.`;

const read = (file) => readFileSync(join(root, file), 'utf8');
const write = (file, text) => writeFileSync(join(root, file), text);
const lineOf = (text, part) => text.slice(0, text.indexOf(part)).split('\n').length;
const keyOf = (name) => (/^[a-zA-Z]\w*$/.test(name) ? name : `'${name}'`);

/** Returns the text with an insertion before the last occurrence of a mark. Throws if the text has no mark. */
export function insertedBefore(text, mark, insertion) {
  const at = text.lastIndexOf(mark);
  if (at === -1) throw new Error(`there is no "${mark.trim()}" to write before`);
  return text.slice(0, at) + insertion + text.slice(at);
}

/** Returns the text of a chapter's requirements with a row of this name on these subjects. */
export function withRow(text, name, subjects) {
  const rule = [...text.matchAll(/^ {4}rule: '([\d.]+)'/gm)].at(-1)?.[1] ?? '1.1';
  return insertedBefore(
    text,
    '} as const satisfies Chapter;',
    `  ${keyOf(name)}: {
    level: 'recommended',
    rule: '${rule}',
    text: 'Say in one sentence what a correct server does.',
    subjects: '${subjects}',
    breaks: 'Say in one sentence what goes wrong for clients of a server that does not.',
  },
`,
  );
}

/** Returns the text of a file with a failing check in its group of these subjects; undefined if it has no such group. */
export function withCheck(text, id, name, subjects) {
  const [own] = new RegExp(`subjects: '${subjects}',(?:(?!subjects:)[\\s\\S])*?checks: \\{`).exec(text) ?? [];
  return own === undefined ? undefined : insertedAfter(text, own, id, name);
}

const insertedAfter = (text, mark, id, name) => withFail(text.replace(mark, () => `${mark}\n${checkOf(id, name)}`));

/** Returns the text of a spec file with a new group, whose setup and check fail. */
export function withGroup(text, id, name, subjects) {
  const group = `  group({
    subjects: '${subjects}',
    setup: async () => fail('write the setup of ${subjects}'),
    checks: {
${checkOf(id, name)}
    },
  }),
`;
  const grouped = insertedBefore(text, ']);', group);
  return withFail(
    /import \{[^}]*\bgroup\b[^}]*\} from '\.\.\/run\/group\.js'/.test(grouped)
      ? grouped
      : afterHead(grouped, "import { group } from '../run/group.js';\n"),
  );
}

const checkOf = (id, name) => `${keyOf(name)}: () => fail('write the check of ${id}'),`;

function withFail(text) {
  const known = /import \{([^}]*)\} from '\.\.\/client\/expect\.js';/.exec(text);
  if (known === null) return afterHead(text, "import { fail } from '../client/expect.js';\n");
  if (/\bfail\b/.test(known[1])) return text;
  return text.replace(known[0], `import { fail,${known[1]}} from '../client/expect.js';`);
}

/** Returns the text with an insertion after the comment that says the purpose of the file. */
const afterHead = (text, insertion) => text.replace(/^(?:\/\/.*\n)*/, (head) => head + insertion);

/** Returns the text of a chapter's faults with a fault that must make the requirement fail, and changes nothing yet. */
export function withFault(text, name) {
  return insertedBefore(text, ']);', `  fault('does something else than ${name} says', '${name}', []),\n`);
}

/** Returns the lines of the lock with an id, in their order. */
export function withId(text, id) {
  return `${[...new Set([...text.trimEnd().split('\n'), id])].sort().join('\n')}\n`;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function requirement(id = '', given = undefined) {
  const [, chapter, name] =
    /^([a-zA-Z]+)\.([a-z0-9]+(?:-[a-z0-9]+)*)$/.exec(id) ?? fail(`"${id}" is not an id\n${usage}`);
  const folder = `suites/${chapter}`;
  const rows = `${folder}/requirements.ts`;
  if (!existsSync(join(root, `${folder}/${chapter}.spec.ts`))) {
    const chapters = readdirSync(join(root, 'suites')).filter((one) =>
      existsSync(join(root, 'suites', one, `${one}.spec.ts`)),
    );
    fail(`there is no chapter ${chapter} with checks; the chapters are ${chapters.join(', ')}`);
  }
  if (read(lock).split('\n').includes(id)) fail(`${id} exists: see ${rows}`);
  const subjects =
    given ?? [...read(rows).matchAll(/^ {4}subjects: '(\w+)'/gm)].at(-1)?.[1] ?? fail(`name the subjects\n${usage}`);
  const sets = readdirSync(join(root, 'matrix/subjects')).filter((file) => file.endsWith('.ts'));
  if (!sets.some((file) => new RegExp(`^ {2,4}${subjects}\\b`, 'm').test(read(`matrix/subjects/${file}`))))
    fail(`there are no subjects ${subjects}: add the set to a file of matrix/subjects, or name another one`);

  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const checked = files
    .map((file) => `${folder}/${file}`)
    .find((file) => withCheck(read(file), id, name, subjects) !== undefined);
  const checks = checked ?? `${folder}/${chapter}.spec.ts`;
  write(rows, withRow(read(rows), name, subjects));
  write(checks, withCheck(read(checks), id, name, subjects) ?? withGroup(read(checks), id, name, subjects));
  const faults = `${folder}/faults.ts`;
  write(faults, withFault(read(faults), name));
  write(lock, withId(read(lock), id));
  execFileSync('npx', ['biome', 'check', '--write', rows, checks, faults], { cwd: root, stdio: 'ignore' });
  const key = `${keyOf(name)}: `;
  process.stdout.write(`${id}, on the subjects ${subjects}:
  ${rows}:${lineOf(read(rows), `  ${key}{`)}  the row: level, rule, text, what breaks
  ${checks}:${lineOf(read(checks), `write the check of ${id}`)}  the check, which fails
  ${faults}:${lineOf(read(faults), `than ${name} says`)}  the fault: what the broken server does
  ${lock}  the id, which stays what it is
Then: npm run docs
      npm run conformance -- --grep '${id}'
      npx vitest run suites/testing/faults -t '<name of the fault>'
`);
}

async function ids() {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  const { requirements } = await import('../dist/suites/requirements/index.js');
  const now = requirements.map(({ id }) => id).sort();
  const before = read(lock).trimEnd().split('\n');
  write(lock, `${now.join('\n')}\n`);
  const added = now.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !now.includes(id));
  process.stdout.write(
    `${lock}: ${now.length} ids\n${added.map((id) => `+ ${id}\n`).join('')}${removed.map((id) => `- ${id}\n`).join('')}`,
  );
  if (removed.length > 0)
    process.stdout.write('Name the removed ids in CHANGELOG.md: target files that have them fail from now on.\n');
}

if (process.argv[1] === import.meta.filename) {
  const [what, ...words] = process.argv.slice(2);
  if (what === 'requirement') {
    try {
      requirement(...words);
    } catch (error) {
      fail(error.message);
    }
  } else if (what === 'ids') await ids();
  else fail(usage);
}
