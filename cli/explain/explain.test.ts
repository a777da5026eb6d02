// Tests the `explain` command, in a pipe and with unknown names.
import { describe, expect, it } from 'vitest';
import { rules } from '../../matrix/interface/index.js';
import { requirements } from '../../suites/requirements/index.js';
import { call } from '../../suites/testing/runCommand.js';

// Each test starts the program, which is slow on a busy machine.
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

  it('accepts a case, as written in a report', async () => {
    const words = 'responses.status › GET /api/v1, Accept application/json'.split(' ');
    const { code, stdout } = await call('explain', ...words);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^This case\n {2}GET \/api\/v1, Accept application\/json\n/m),
    ]);
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
  ])('says from the target files which servers keep %s', async (id, sentence) => {
    const { stdout } = await call('explain', id);
    const [, why = ''] = /^Why it is recommended\n((?: .*\n)+)/m.exec(stdout) ?? [];
    expect(why.replace(/\s+/g, ' ')).toMatch(sentence);
    expect(stdout).not.toContain('Recorded exchanges');
  });

  it('accepts a rule, and says why unobservable requirements are not checked', async () => {
    expect((await call('explain', '12.4')).stdout).toMatch(/^Rule 12\.4, .*\n[\s\S]*histories\.watches \(required\)/);
    expect((await call('explain', 'documentScope.authorization')).stdout).toMatch(/^ {2}It is not checked\. /m);
  });

  it.each([
    ['responses.statu', /^there is no requirement responses\.statu: is it responses\.status\?/],
    ['status', /is it responses\.status or /],
    ['4.99', /^there is no rule 4\.99: section 4, .*, has the rules 4\.1 to 4\.\d+$/m],
    ['99.1', /^there is no rule 99\.1: the sections are 1 to \d+$/m],
    ['responses.status › GET /api/v2', /^responses\.status has no case on GET \/api\/v2: is it GET \/api\/v1/],
  ])('ends with 2 for %s and suggests the nearest name', async (what, line) => {
    const { code, stdout, stderr } = await call('explain', what);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(line)]);
    expect(stderr.trim()).not.toContain('\n');
  });
});

describe('explain without a name, or with chapters', () => {
  it('lists all in a table that fits a terminal of 80 columns', async () => {
    const { code, stdout } = await call('explain');
    expect(code).toBe(0);
    for (const { id } of requirements) expect(stdout).toContain(`\n${id} `);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
    expect(stdout).toMatch(
      new RegExp(`\\n${requirements.length} requirements: \\d+ required, \\d+ recommended; [\\d,]+ cases\\n$`),
    );
  });

  it('lists the requirements of a chapter and a level, as JSON with their effect on clients', async () => {
    const { stdout } = await call('explain', 'list', '--format', 'json', '--level', 'required');
    const listed = JSON.parse(stdout) as readonly Record<string, unknown>[];
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

  it('lists them as Markdown, with a link to each rule', async () => {
    const { stdout } = await call('explain', '--format', 'markdown');
    const linked = new Set([...stdout.matchAll(/\| \[(\d+\.\d+)\]\(https:/g)].map(([, number]) => number));
    expect(rules.map(({ number }) => number)).toEqual(expect.arrayContaining([...linked]));
    expect(stdout.match(/^\| `/gm)).toHaveLength(requirements.length);
  });

  it.each([
    [['--level', 'optional'], /required, recommended/],
    [['--format', 'xml'], /table, json, markdown/],
    [['lisst'], /^there is no requirement lisst: is it list\?/],
  ])('ends with 2 for %j', async (options, line) => {
    const { code, stdout, stderr } = await call('explain', ...options);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(line)]);
  });
});
