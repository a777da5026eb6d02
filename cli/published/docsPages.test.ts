// Tests the documents: each is listed and linked, links are valid, and options exist in the commands.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { registerAssets } from '../assets/assets.js';
import { registerEnvtest } from '../envtest/envtest.js';
import { registerExplain } from '../explain/explain.js';
import { registerCerts } from '../fixtures/certs.js';
import { registerFixtures } from '../fixtures/fixtures.js';
import { registerNodeAgent } from '../nodeAgent.js';
import { registerReport } from '../reporting/report.js';
import { registerClean } from '../run/clean.js';
import { registerRun } from '../run/run.js';
import { registerOpenapi } from '../serve/openapi.js';
import { registerServe } from '../serve/serve.js';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const documents = [...pages.map((name) => `docs/${name}`), 'README.md', 'CONTRIBUTING.md'];

function optionsOf(register: (program: Command) => void): string[] {
  const program = new Command();
  register(program);
  return (program.commands[0]?.options ?? []).map(({ long }) => long ?? '');
}

it.each(pages.filter((name) => name !== 'README.md'))('docs/README.md links to %s', (name) => {
  expect(read('docs/README.md')).toContain(`(${name})`);
});

it.each(documents)('the links of %s lead to existing pages', (document) => {
  const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) =>
    /^[a-z]+:/.test(link) ? [] : [link],
  );
  const lost = links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? document : join(dirname(document), path);
    return !existsSync(join(root, file)) || (anchor !== undefined && !anchorsOf(file).has(anchor));
  });
  expect([...new Set(lost)]).toEqual([]);
});

describe('every option is in the documents', () => {
  it.each([
    ['explain', registerExplain, 'docs/requirements.md'],
    ['report', registerReport, 'docs/reports.md'],
    ['run', registerRun, 'docs/running.md'],
    ['fixtures', registerFixtures, 'docs/authentication.md'],
  ] as const)('of %s', (_, register, document) => {
    const text = read(document);
    expect(optionsOf(register).filter((option) => !new RegExp(`${option}(?![a-z-])`).test(text))).toEqual([]);
  });
});

const commands = {
  assets: registerAssets,
  certs: registerCerts,
  clean: registerClean,
  envtest: registerEnvtest,
  explain: registerExplain,
  fixtures: registerFixtures,
  'node-agent': registerNodeAgent,
  openapi: registerOpenapi,
  report: registerReport,
  run: registerRun,
  serve: registerServe,
};

it('the commands in the documents exist', () => {
  const named = documents.flatMap((document) =>
    [...read(document).matchAll(/npx kube-api-conformance ([a-z-]+)/g)].map(([, command]) => command),
  );
  expect([...new Set(named)].filter((command) => !Object.hasOwn(commands, command ?? ''))).toEqual([]);
});

it.each(Object.entries(commands).filter(([command]) => command !== 'certs' && command !== 'envtest'))(
  'the options of %s in shell blocks exist',
  (command, register) => {
    const known = optionsOf(register);
    const unexpected = documents.flatMap((document) =>
      [...read(document).matchAll(new RegExp(`kube-api-conformance ${command} ([^\\n#|&]*)`, 'g'))].flatMap(
        ([, words = '']) =>
          (words.replaceAll(/'[^']*'/g, '').match(/(?<=^|\s)--[a-z-]+/g) ?? []).filter(
            (option) => !known.includes(option),
          ),
      ),
    );
    expect(unexpected).toEqual([]);
  },
);

/** Returns the anchors of a page: those of its headings as GitHub makes them, and explicit ones. */
function anchorsOf(file: string): ReadonlySet<string> {
  const text = read(file);
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
  const own = [...text.matchAll(/\b(?:id|name)="([^"]+)"/g)].map(([, id = '']) => id);
  return new Set([...headings, ...own]);
}
