// Tests the language of the shell: scripts with their output and exit status.
import { expect, test, vi } from 'vitest';
import { sigterm } from '../../kernel/process.js';
import { Input, pipe } from '../../kernel/streams.js';
import { Tty } from '../../kernel/tty.js';
import { TestContainer } from '../../testing/container.js';

test.each([
  ['echo hi; echo "a  b" c', 'hi\na  b c\n', 0],
  ["echo 'it''s' \\$x \"\\$y\" a\\ b", 'its $x $y a b\n', 0],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
  ['x="1  2"; echo $x "$x" ${x}3', '1 2 1  2 1 23\n', 0],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
  ['echo ${none:-default} ${HOME:-other} [$none]', 'default /root []\n', 0],
  ['x=5; x=6 printenv x; echo $x', '6\n5\n', 0],
  ['export A=1; env | tail -n 1', 'A=1\n', 0],
  ['unset HOME; echo [$HOME]', '[]\n', 0],
  ['true && echo yes || echo no', 'yes\n', 0],
  ['false && echo yes || echo no', 'no\n', 0],
  ['false || false; echo $?', '1\n', 0],
  ['! true', '', 1],
  ['exit 7; echo never', '', 7],
  ['(exit 3); echo $?', '3\n', 0],
  ['(cd /tmp; x=1; pwd); pwd; echo [$x]', '/tmp\n/\n[]\n', 0],
  ['{ echo a; echo b; } | wc -l', '2\n', 0],
  ['seq 3 | while read n; do echo "<$n>"; done', '<1>\n<2>\n<3>\n', 0],
  ['i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done; echo $i', '3\n', 0],
  ['i=3; until [ $i = 0 ]; do i=$((i-1)); done; echo $i', '0\n', 0],
  ['for f in 1 2 "3 4"; do echo $f; done', '1\n2\n3 4\n', 0],
  ['for f in 1 2 3; do [ $f = 2 ] && continue; echo $f; [ $f = 3 ] && break; done', '1\n3\n', 0],
  ['if test -d /tmp; then echo dir; elif true; then echo 2; else echo none; fi', 'dir\n', 0],
  ['if false; then echo 1; else echo 2; fi', '2\n', 0],
  ['echo $(echo a; echo b) "$(seq 2)"', 'a b 1\n2\n', 0],
  ['echo $((2 + 3 * (4 - 1))) $((7 / 2)) $((7 % 2)) $((1 < 2 && 3 != 3))', '11 3 1 0\n', 0],
  ['echo a > /tmp/x; echo b >> /tmp/x; cat < /tmp/x', 'a\nb\n', 0],
  ['echo lost > /dev/null; echo kept', 'kept\n', 0],
  ['cat nosuch 2>&1', 'cat: /nosuch: No such file or directory\n', 1],
  ['nosuch 2>/dev/null; echo $?', '127\n', 0],
  ['touch /tmp/b1 /tmp/b2; echo /tmp/b* /tmp/c* "/tmp/b*"', '/tmp/b1 /tmp/b2 /tmp/c* /tmp/b*\n', 0],
  ['cd /tmp; touch ab abc b.c; echo a* *b* a?c ?.? \\*', 'ab abc ab abc b.c abc b.c *\n', 0],
  ['read a b; echo "$b-$a"', 'y z-x\n', 0],
  ['set -e; false; echo never', '', 1],
  ['set -e; false || true; if false; then :; fi; ! true; echo on', 'on\n', 0],
  ['echo a # a comment\necho b', 'a\nb\n', 0],
  ['echo one \\\n two', 'one two\n', 0],
  ['seq 1 1000000 | head -n 1', '1\n', 0],
  ['exec echo gone; echo never', 'gone\n', 0],
  ['echo "$@" $# $0', ' 0 sh\n', 0],
] as const)('%s', async (script, stdout, code) => {
  const result = await new TestContainer().sh(script, { stdin: 'x y z\n' });
  expect(result).toEqual({ code, stdout, stderr: '' });
});

test('arguments of a script', async () => {
  const result = await new TestContainer().run([
    'sh',
    '-c',
    'for a in "$@"; do echo "$a"; done; echo $# $2',
    'sh',
    'a b',
    'c',
  ]);
  expect(result.stdout).toBe('a b\nc\n2 c\n');
});

test.each([
  ['echo "open', 'sh: unterminated quoted string\n'],
  ['while true; do echo', 'sh: syntax error: unexpected end of file\n'],
  ['echo a;;b', 'sh: syntax error: unexpected ";;"\n'],
  ['sleep 1 &', 'sh: programs in the background are not supported\n'],
  ['cat <<x', 'sh: here-documents are not supported\n'],
  [`echo ${'$('.repeat(50)}${')'.repeat(50)}`, 'sh: $(…) is nested too deep\n'],
  [`: ${'x'.repeat(200_000)}`, 'sh: the script is too long\n'],
  ['| cat', 'sh: syntax error: unexpected "|"\n'],
  ['fi', 'sh: fi: not found\n'],
] as const)('an error is reported: %s', async (script, stderr) => {
  const result = await new TestContainer().sh(script);
  expect(result).toEqual({ code: script === 'fi' ? 127 : 2, stdout: '', stderr });
});

test('the trap of a new terminal size runs between two commands', async () => {
  const tty = new Tty();
  const keyboard = pipe();
  let said = '';
  const stdout = {
    write: async (chunk: Buffer) => {
      said += chunk;
    },
  };
  const script = "trap 'stty size; false' WINCH; while read line; do echo $line $?; done";
  const running = new TestContainer().sh(script, { tty, stdin: keyboard.input, stdout });
  let expected = '';
  for (const [columns, line, seen] of [
    [80, 'a', '24 80\na 0\n'],
    [80, 'b', 'b 0\n'],
    [132, 'c', '24 132\nc 0\n'],
  ] as const) {
    tty.resize(columns, 24);
    await keyboard.output.write(Buffer.from(`${line}\n`));
    expected += seen;
    await expect.poll(() => said).toBe(expected);
  }
  keyboard.end();
  expect((await running).code).toBe(0);
});

test.each([
  ["trap 'echo x' TERM", 'sh: trap: only'],
  ['trap "echo (" WINCH', 'sh: syntax error'],
])('an invalid trap is reported: %s', async (script, message) => {
  const { code, stderr } = await new TestContainer().sh(script);
  expect([code > 0, stderr]).toEqual([true, expect.stringContaining(message)]);
});

test('an error in one command does not end the others', async () => {
  const script = 'echo $((1 / 0)); echo x > /; cd /nowhere; echo on';
  const { stdout, stderr } = await new TestContainer().sh(script);
  expect(stdout).toBe('on\n');
  expect(stderr).toMatch(/divide by zero\n.*Is a directory\n.*No such file or directory\n$/);
});

test('a script on standard input runs line by line', async () => {
  const stdin = 'echo a\nif true\nthen echo b\nfi\necho "c\nd"\n)\nexit 4\necho never\n';
  const result = await new TestContainer().run(['sh'], { stdin });
  expect(result).toEqual({ code: 4, stdout: 'a\nb\nc\nd\n', stderr: 'sh: syntax error: unexpected ")"\n' });
});

test.each([
  'while true; do :; done',
  'sleep 1000',
  'cat /dev/zero',
  'cat /dev/zero > /dev/null',
  'wc -c < /dev/zero',
  'while true; do echo x; done > /dev/null',
  'tail -f /dev/null',
  'seq 1 inf'.replace('inf', '900719925474099'),
])('a signal ends the shell: %s', async (script) => {
  const stop = new AbortController();
  const running = new TestContainer().sh(script, {
    signal: stop.signal,
    stdout: {
      write: async () => {
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
  });
  setImmediate(() => stop.abort(sigterm));
  expect((await running).code).toBe(143);
});

test.each(['wc -c < /dev/zero', 'wc -c /dev/zero', 'head -n 1 /dev/zero', 'cat /dev/zero > /dev/null'])(
  'a program that a signal has ended reads no more: %s',
  async (script) => {
    const container = new TestContainer();
    const zero = vi.spyOn(container.files, 'input');
    let reads = 0;
    zero.mockImplementation(() => new Input({ read: async () => Buffer.alloc(++reads % 2), close: () => {} }));
    const stop = new AbortController();
    const running = container.sh(script, { signal: stop.signal });
    await expect.poll(() => reads).toBeGreaterThan(0);
    stop.abort(sigterm);
    expect((await running).code).toBe(143);
    // A program yields after 64 reads.
    const turns = async (): Promise<number> => {
      for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return reads;
    };
    const before = await turns();
    expect(await turns()).toBe(before);
  },
);
