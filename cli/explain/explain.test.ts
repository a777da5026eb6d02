// Tests the `explain` command, in a pipe and with unknown names.
import { Command } from 'commander';
import { describe, expect, it, vi } from 'vitest';
import { rules } from '../../matrix/interface/index.js';
import { requirements } from '../../suites/requirements/index.js';
import { call } from '../../suites/testing/runCommand.js';
import { registerExplain } from './explain.js';

/** Returns what the command prints, without a process for each test. Throws what ends the program with 2. */
function said(...words: readonly string[]): string {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  registerExplain(program);
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    text += String(part);
    return true;
  });
  try {
    program.parse(['explain', ...words], { from: 'user' });
  } finally {
    write.mockRestore();
  }
  return text;
}

const widest = (text: string): number =>
  Math.max(
    ...text
      .split('\n')
      .filter((line) => !/https:|npx/.test(line))
      .map((line) => line.length),
  );

describe('explain', () => {
  it('prints a requirement with its level, rule, reason, cases, effect on clients and known deviations', async () => {
    const { code, stdout, stderr } = await call('explain', 'responses.status');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^responses\.status \(required\)\n {2}A successful operation/);
    expect(stdout).toMatch(/^Rule 4\.1, Success is 200\n {2}A successful operation must/m);
    expect(stdout).toMatch(/^ {2}Why it matters: /m);
    expect(stdout).toMatch(/^ {2}https:\S+\/docs\/interface\.md#r-4-1$/m);
    expect(stdout).toMatch(/^Why it is required\n/m);
    expect(stdout).toMatch(/^What breaks when it fails\n {2}A generated client/m);
    expect(stdout).toMatch(/^[1-9]\d+ cases\n( {2}.*\n){5} {2}and [\d,]+ more\n/m);
    expect(stdout).toMatch(/^ {2}kube-apiserver-1\.20: /m);
    expect(stdout).toMatch(/--grep 'responses\.status ›'$/m);
    expect(stdout).not.toContain('\u001b');
    expect(widest(stdout)).toBeLessThanOrEqual(80);
  });

  it('accepts a case, as written in a report', () => {
    const words = 'responses.status › GET /api/v1, Accept application/json'.split(' ');
    expect(said(...words)).toMatch(/^This case\n {2}GET \/api\/v1, Accept application\/json\n/m);
  });

  const own = /None of kube-apiserver-1\.5, kube-apiserver-1\.20 and kube-apiserver-1\.36 keeps it/;
  it.each([
    ['patch.strategic-merge', own],
    ['patch.strategic-without-key', own],
    ['patch.strategic-unknown-directive', own],
    ['patch.strategic-malformed', own],
    ['subresources.binding-target', own],
    ['subresources.status-absent', /keeps it in every case: where they do not, the rule is this project's own/],
    ['errors.invalid-name', /keeps it in every case: where they do not, the rule is this project's own/],
    ['deleteOptions.dry-run', /Real servers differ: kube-apiserver-1\.\d+ .*kube-apiserver-1\.\d+ (does|do) not/],
    ['list.kind', /No deviation is recorded of kube-apiserver-1\.5, .* and kube-apiserver-1\.36, and clients/],
  ])('says from the target files which servers keep %s', (id, sentence) => {
    const stdout = said(id);
    const [, why = ''] = /^Why it is recommended\n((?: .*\n)+)/m.exec(stdout) ?? [];
    expect(why.replace(/\s+/g, ' ')).toMatch(sentence);
    expect(stdout).not.toContain('Recorded exchanges');
  });

  it('accepts a rule, and says why unobservable requirements are not checked', () => {
    expect(said('12.4')).toMatch(/^Rule 12\.4, .*\n[\s\S]*histories\.watches \(required\)/);
    expect(said('documentScope.authorization')).toMatch(/^ {2}It is not checked\. /m);
  });

  it.each([
    ['responses.statu', /^there is no requirement responses\.statu: is it responses\.status\?/],
    ['status', /is it responses\.status or /],
    ['4.99', /^there is no rule 4\.99: section 4, .*, has the rules 4\.1 to 4\.\d+$/m],
    ['99.1', /^there is no rule 99\.1: the sections are 1 to \d+$/m],
    ['responses.status › GET /api/v2', /^responses\.status has no case on GET \/api\/v2: is it GET \/api\/v1/],
  ])('suggests the nearest name for %s', (what, line) => {
    expect(() => said(what)).toThrow(line);
    expect(() => said(what)).not.toThrow('\n');
  });

  it.each([
    ['responses.statu', /^there is no requirement responses\.statu: is it responses\.status\? .*\n$/],
    ['--level=optional', /^[^\n]*required, recommended[^\n]*\n$/],
  ])('ends with 2 and one line for %s', async (what, line) => {
    const { code, stdout, stderr } = await call('explain', what);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(line)]);
  });
});

describe('explain without a name, or with chapters', () => {
  it('lists all in a table that fits a terminal of 80 columns', () => {
    const stdout = said();
    for (const { id } of requirements) expect(stdout).toContain(`\n${id} `);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      new RegExp(
        ` ${requirements.length} requirements: \\d+ required, \\d+ recommended; [\\d,]+ cases; \\d+ have cases only where the server publishes OpenAPI $`,
      ),
    );
  });

  it('lists the requirements of a chapter and a level, as JSON with their effect on clients', () => {
    const listed = JSON.parse(said('list', '--format', 'json', '--level', 'required')) as readonly Record<
      string,
      unknown
    >[];
    expect(listed.map(({ id }) => id)).toEqual(
      requirements.filter(({ chapter, row }) => chapter === 'list' && row.level === 'required').map(({ id }) => id),
    );
    expect(listed[0]).toEqual({
      id: 'list.contains',
      chapter: 'list',
      level: 'required',
      text: expect.any(String),
      rule: { number: '7.1', title: 'List', url: expect.stringMatching(/#r-7-1$/) },
      cases: expect.any(Number),
      breaks: expect.any(String),
    });
  });

  it('lists them as Markdown, with a link to each rule', () => {
    const stdout = said('--format', 'markdown');
    const linked = new Set([...stdout.matchAll(/\| \[(\d+\.\d+)\]\(https:/g)].map(([, number]) => number));
    expect(rules.map(({ number }) => number)).toEqual(expect.arrayContaining([...linked]));
    expect(stdout.match(/^\| `/gm)).toHaveLength(requirements.length);
  });

  it.each([
    [['--level', 'optional'], /required, recommended/],
    [['--format', 'xml'], /table, json, markdown/],
    [['quick'], /^there is no requirement quick; explain without a name lists them all$/],
    [['list.kind', '--format', 'json'], /^--format is for a list: leave it out, or name only chapters$/],
    [['list.kind', '--level', 'required'], /^--level is for a list/],
    [['lisst'], /^there is no requirement lisst: is it list\?/],
  ])('refuses %j', (options, line) => {
    expect(() => said(...options)).toThrow(line);
  });
});
