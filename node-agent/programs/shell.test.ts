// Tests the shell: scripts with their output and exit status.
import { expect, test } from 'vitest';
import { sigterm } from '../kernel/process.js';
import { Tty } from '../kernel/tty.js';
import { TestContainer } from '../testing/container.js';

test.each([
  ['echo hi; echo "a  b" c', 'hi\na  b c\n', 0],
  ["echo 'it''s' \\$x \"\\$y\" a\\ b", 'its $x $y a b\n', 0],
  ['echo "" $none "$none" | wc -c', '2\n', 0],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
  ['x="1  2"; echo $x "$x" ${x}3 a$x', '1 2 1  2 1 23 a1 2\n', 0],
  ['x=5; x=6 printenv x; echo $x', '6\n5\n', 0],
  ['echo [$HOME] $ "$"', '[/root] $ $\n', 0],
  ['true && echo yes || echo no', 'yes\n', 0],
  ['false && echo yes ||\n echo no', 'no\n', 0],
  ['false || false; echo $?', '1\n', 0],
  ['exit 7; echo never', '', 7],
  ['false; exit', '', 1],
  ['seq 3 | while read n; do echo "<$n>"; done', '<1>\n<2>\n<3>\n', 0],
  ['i=0; while [ $i != 3 ]; do i=$((i + 1)); done; echo $i', '3\n', 0],
  ['for f in 1 2 "3 4" $(seq 2); do echo $f; done | tail -n 3', '3 4\n1\n2\n', 0],
  ['if test -d /tmp; then echo dir; else echo none; fi', 'dir\n', 0],
  ['if false; then echo 1; else echo 2; fi > /tmp/x; cat /tmp/x', '2\n', 0],
  ['if false; then echo 1; fi; echo $?', '0\n', 0],
  ['echo $(echo a; echo b) "$(seq 2)" $(echo "$(echo )")c', 'a b 1\n2 c\n', 0],
  ['x=$(false); echo $?', '1\n', 0],
  ['for i in `seq 1 2`; do echo "<`echo "$i"`>"; done; echo `echo \\`echo in\\``', '<1>\n<2>\nin\n', 0],
  ['! true; echo $?; ! false | false && echo yes; if ! test -e /x; then echo none; fi', '1\nyes\nnone\n', 0],
  ['n=4; echo $((6 * 7)) $((2 + 3 * n - 1)) $((3--2)) $((-$n)) $((none+1))', '42 13 5 -4 1\n', 0],
  ['echo a > /tmp/x; echo b >> /tmp/x; cat < /tmp/x', 'a\nb\n', 0],
  ['echo lost > /dev/null; echo kept', 'kept\n', 0],
  ['cat nosuch 2>&1', 'cat: /nosuch: No such file or directory\n', 1],
  ['nosuch 2>/dev/null; echo $?', '127\n', 0],
  ['cd /tmp; pwd; cd; pwd', '/tmp\n/root\n', 0],
  ['cd /tmp | true; x=1 | true; pwd; echo [$x]', '/\n[]\n', 0],
  ['read a; echo "$a"; read a; echo $? [$a]', 'x y z\n1 []\n', 0],
  ['echo a#b # a comment\necho b', 'a#b\nb\n', 0],
  ['echo one \\\n two', 'one two\n', 0],
  [
    'for i in 1 2 3 4 5 6 7 8 9; do ln -s /tmp /tmp/$i; done; echo /tmp/*/*/*/*/*/*/*/* 2>/dev/null; echo $?',
    '126\n',
    0,
  ],
  ['seq 1 1000000 | head -n 1', '1\n', 0],
  ['exec echo gone; echo never', 'gone\n', 0],
  [
    'cd /tmp; touch a1 b1 .c; echo * ?1 "*" \\* /t*/a? n*ne x=*; echo /tmp/*',
    'a1 b1 a1 b1 * * /tmp/a1 n*ne x=*\n/tmp/a1 /tmp/b1\n',
    0,
  ],
  [
    'touch /tmp/ab; p="/tmp/*"; echo $p "$p"; for f in /tmp/a*b; do echo "<$f>"; done',
    '/tmp/ab /tmp/*\n</tmp/ab>\n',
    0,
  ],
  ['echo http://a/b?c=d', 'http://a/b?c=d\n', 0],
] as const)('%s', async (script, stdout, code) => {
  const result = await new TestContainer().sh(script, { stdin: 'x y z\n' });
  expect(result).toEqual({ code, stdout, stderr: '' });
});

test.each([
  ['nosuch a b', 'nosuch: not found', 127],
  ['fi', 'fi: not found', 127],
  ['echo "open', 'unterminated quoted string', 2],
  ["echo 'open", 'unterminated quoted string', 2],
  ['echo \\', 'unexpected end of file after a backslash', 2],
  ['while true; do echo', 'syntax error: unexpected end of file', 2],
  ['for x in 1; echo', 'syntax error: unexpected "echo"', 2],
  ['if true; then fi', 'syntax error: unexpected "fi"', 2],
  ['echo a;;b', 'syntax error: unexpected ";;"', 2],
  ['| cat', 'syntax error: unexpected "|"', 2],
  ['sleep 1 &', '& is not supported', 2],
  ['(exit 3)', '( is not supported', 2],
  ['f() { echo; }', '( is not supported', 2],
  ['{ echo; }', '{ is not supported', 2],
  ['case x in x) ;; esac', 'case is not supported', 2],
  ['if true; then true; elif true; then true; fi', 'elif is not supported', 2],
  ['cat <<x', '<< is not supported', 2],
  ['echo `pwd', 'unterminated ` quoted string', 2],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
  ['echo ${x:-y}', '${x:-y} is not supported', 2],
  ['echo "$@"', '$@ is not supported', 2],
  ['set -e', 'set is not supported', 2],
  ['echo $((1 / 2))', '$((1 / 2)) is not supported', 2],
  ['read a b', 'only read NAME is supported', 2],
  ["trap 'echo x' TERM", "only trap '' TERM is supported", 2],
  ['exec >/tmp/x', 'only exec COMMAND is supported', 2],
  ['echo a >&3', '>&3 is not supported', 2],
  [`echo ${'$('.repeat(50)}${')'.repeat(50)}`, 'the script is nested too deeply', 2],
  [`true ${'x'.repeat(200_000)}`, 'the script is too long', 2],
] as const)('an error is reported: %s', async (script, message, code) => {
  expect(await new TestContainer().sh(script)).toEqual({ code, stdout: '', stderr: `sh: ${message}\n` });
});

test('-x shows each command', async () => {
  const result = await new TestContainer().run(['/bin/sh', '-x', '-c', 'a=1; B=2 echo $a | cat; nosuch']);
  expect({ ...result, stderr: result.stderr.split('\n').sort().join('\n') }).toEqual({
    code: 127,
    stdout: '1\n',
    stderr: '\n+ B=2 echo 1\n+ a=1\n+ cat\n+ nosuch\n/bin/sh: nosuch: not found',
  });
});

test('only -c SCRIPT can be given', async () => {
  const result = await new TestContainer().run(['sh', '/tmp/script']);
  expect(result).toEqual({ code: 2, stdout: '', stderr: 'sh: /tmp/script is not supported; give -c SCRIPT\n' });
});

test('an error in one command does not end the others', async () => {
  const script = 'echo $((1 / 0)); echo x > /; cd /nowhere; echo on';
  const { stdout, stderr } = await new TestContainer().sh(script);
  expect(stdout).toBe('on\n');
  expect(stderr).toMatch(/not supported\n.*Is a directory\n.*No such file or directory\n$/);
});

test('a terminal has a prompt, and its scripts see its new size', async () => {
  const tty = new Tty();
  tty.resize(97, 31);
  const { stdout } = await new TestContainer().run(['sh'], { tty, stdin: 'if true\nthen stty size; fi\n' });
  expect(stdout).toBe('/ # > 31 97\n/ # ');
});

test('a script on standard input runs line by line', async () => {
  const stdin = 'echo a\nif true\nthen echo b\nfi\necho "c\nd"\n)\nexit 4\necho never\n';
  const result = await new TestContainer().run(['sh'], { stdin });
  expect(result).toEqual({ code: 4, stdout: 'a\nb\nc\nd\n', stderr: 'sh: syntax error: unexpected ")"\n' });
});

test.each([
  'while true; do true; done',
  'sleep 1000',
  'while true; do echo x; done > /dev/null',
  'seq 900719925474099',
  'seq 900719925474099 | cat > /dev/null',
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
