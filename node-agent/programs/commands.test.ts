// Tests the commands of containers with arguments and input.
import { describe, expect, test } from 'vitest';
import { sigterm } from '../kernel/process.js';
import { makePipe } from '../kernel/streams.js';
import { TestContainer } from '../testing/container.js';

describe('commands', () => {
  test.each([
    ['echo -n a b', 'a b'],
    ['printf "[%s]" "a b" c \'$HOME;*\'', '[a b][c][$HOME;*]'],
    ['printf "%s-%d|%%\\t" a 5 b', 'a-5|%\tb-0|%\t'],
    ['printf "\\303\\251é\\n"', 'éé\n'],
    ['printf "\\377\\000\\200" | wc -c', '3\n'],
    ['seq 2; seq 4 6; seq 2 1', '1\n2\n4\n5\n6\n'],
    ['hostname', 'pod-1\n'],
    ['printenv HOME NONE; echo $?', '/root\n1\n'],
    ['A=b env | tail -n 1', 'A=b\n'],
    ['seq 5 | head -n 2', '1\n2\n'],
    ['seq 5 | head -c 3', '1\n2'],
    ['seq 50 | head -n 11 | tail | head -n1', '2\n'],
    ['seq 5 | tail -n 2', '4\n5\n'],
    ['seq 5 | tail -n +4', '4\n5\n'],
    ['seq 5 | tail -c+9', '5\n'],
    ['printf "a b\\nc" | wc -l', '1\n'],
    ['cd /tmp; touch a .b; ls; ls -a; ls nothing 2>/dev/null; ls /tmp /etc', 'a\n.b\na\n/tmp:\na\n/etc:\n'],
    ['echo x > /tmp/f; [ -f /tmp/f ] && [ -e /tmp ] && [ a != b ] && test -d /tmp && [ "" = "" ] && echo ok', 'ok\n'],
    ['test -f /tmp || [ -z a ] || test -n "" || test "" || echo none', 'none\n'],
    ['[ 2 -gt 1 ] && [ -1 -le "-1" ] && ! test 1 -ne 1 && [[ a == a ]] && echo ok', 'ok\n'],
    ['echo x > /tmp/f; ln -s f /tmp/l; [ -s /tmp/f ] && [[ -r /tmp/l ]] && [ -L /tmp/l ] && echo ok', 'ok\n'],
    [
      'touch /tmp/e; [ -w /tmp/e ] && ! [ -s /tmp/e ] && ! [ -x /tmp/e ] && ! [ -L /tmp/e ] && [ -x /tmp ] && echo ok',
      'ok\n',
    ],
    ["printf 'a b  c\\n\\n' | awk '{print $2}'", 'b\n\n'],
    [`echo 10.0.0.7 | awk -F. '{print $1"-"$2 ".x", NF, NR, $NF}'`, '10-0.x 4 1 7\n'],
    ["printf 'a1\\nB\\n \\n' | grep -v '^\\s*$'", 'a1\nB\n'],
    ["seq 12 | grep '^1\\|3$' | grep -c 1; seq 12 | grep -E '^(1|3)$'; echo 'a+b' | grep 'a+b'", '4\n1\n3\na+b\n'],
    ['echo A.b > /tmp/f; grep -iF a.B /tmp/f; grep -q A /tmp/f || echo no; grep -F A.c /tmp/f; echo $?', 'A.b\n1\n'],
    [
      'echo x > /tmp/f; echo x > /tmp/g; grep x /tmp/f /tmp/g; grep x /tmp/f /none 2>/dev/null; echo $?',
      '/tmp/f:x\n/tmp/g:x\n/tmp/f:x\n2\n',
    ],
    [
      'printf "\\336\\312abc\\n" > /tmp/f; hexdump -C /tmp/f',
      '00000000  de ca 61 62 63 0a                                 |..abc.|\n00000006\n',
    ],
    [
      'for i in `seq 3`; do printf 0123456789abcdef; done | hexdump -C',
      '00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  |0123456789abcdef|\n*\n00000030\n',
    ],
    [
      'cd /tmp; echo x > a; mv -v a b; cp b c; mkdir d; cp -v b c d/; mv d e; ls . e; cat e/c',
      "'a' -> 'b'\n'b' -> 'd/b'\n'c' -> 'd/c'\n.:\nb\nc\ne\ne:\nb\nc\nx\n",
    ],
    ['cd /tmp; ln -s x l; cp -r l k 2>/dev/null; ls -l k | grep -c "k -> x"', '1\n'],
    ['id; id -u; id -g; id -G', 'uid=1000 gid=7 groups=7,9\n1000\n7\n7 9\n'],
    ['cat /tmp/none - 2>/dev/null < /dev/null; echo $?', '1\n'],
    ['/bin/echo path', 'path\n'],
    ['mkdir -p /tmp/d/e; echo x > /tmp/d/e/f; rm -r /tmp/d; ls /tmp; rm -f /tmp/none; echo $?', '0\n'],
    ['echo x > /tmp/f; ln -s f /tmp/l; cat /tmp/l; echo y > /tmp/l; cat /tmp/f; rm /tmp/l; ls /tmp', 'x\ny\nf\n'],
    ['mkdir /tmp/d; ln -s /tmp/d /tmp/l; touch /tmp/l/a; ls /tmp/l', 'a\n'],
  ] as const)('%s', async (script, stdout) => {
    expect(await new TestContainer().sh(script)).toMatchObject({ stdout });
  });

  test('ls -l tells the mode, the size and the time', async () => {
    const { stdout } = await new TestContainer().sh('echo text > /tmp/f; ls -l /tmp /tmp/f');
    expect(stdout).toMatch(/^\/tmp:\n-rw-r--r-- 1 root root {9}5 \d{4}-\d\d-\d\d \d\d:\d\d f\n-rw.* \/tmp\/f\n$/);
  });

  test('date tells the time as busybox does', async () => {
    const { stdout } = await new TestContainer().sh('date');
    expect(stdout).toMatch(/^[A-Z]\w\w [A-Z]\w\w \d\d \d\d:\d\d:\d\d UTC \d{4}\n$/);
  });

  test.each([
    ['seq a', 'seq: invalid number "a"', 1],
    ['sleep x', 'sleep: invalid number "x"', 1],
    ['test 1 -eq a', 'test: a: bad number', 2],
    ['test a -nt b', 'test: a -nt b is not supported', 2],
    ['[[ a ]', '[[: missing ]]', 2],
    ["awk '/x/ {print}'", 'awk: /x/ {print} is not supported', 2],
    ["grep '['", "grep: bad pattern '['", 2],
    ['grep', 'grep: usage: grep [-qvicEF] PATTERN [FILE]…', 2],
    ['hexdump /tmp/f', 'hexdump: only hexdump -C is supported', 2],
    ['mv /x /y', 'mv: /x: No such file or directory', 1],
    ['cp /tmp /y', 'cp: /tmp: Is a directory', 1],
    ['mkdir /tmp/d; mv /tmp/d /tmp/d', 'mv: /tmp/d/d: File exists', 1],
    ['mv /x', 'mv: usage: FROM… TO', 1],
    ['id -n', 'id: only id, id -u, id -g and id -G are supported', 2],
    ['ip link add dummy0 type dummy', 'ip: RTNETLINK answers: Operation not permitted', 2],
    ['ip route', 'ip: ip route is not simulated', 1],
    ['[ a', '[: missing ]', 2],
    ['head -n x', 'head: invalid number "x"', 1],
    ['tail -c 5', 'tail: -c without + is not supported', 2],
    ['ls -Z', 'ls: unknown option -Z', 1],
    ['cat /tmp', 'cat: /tmp: Is a directory', 1],
    ['printf %q a', 'printf: %q: invalid format', 1],
    ['env A=b', 'env: arguments are not supported', 2],
    ['date +%s', 'date: arguments are not supported', 2],
    ['stty size', 'stty: standard input: Not a tty', 1],
    ['wc', 'wc: give -l or -c', 2],
    ['echo text | tar x', 'tar: unexpected end of the archive', 2],
    ['mkfs /x', 'sh: mkfs: not found', 127],
    ['mkdir /tmp', 'mkdir: /tmp: File exists', 1],
    ['mkdir /x/y', 'mkdir: /x: No such file or directory', 1],
    ['rm /tmp', 'rm: /tmp: Is a directory', 1],
    ['ln -s a /tmp/a; ln -s b /tmp/a', 'ln: /tmp/a: File exists', 1],
    ['ln -s /tmp/a /tmp/a; cat /tmp/a', 'cat: /tmp/a: Too many levels of symbolic links', 1],
    ['ln a b', 'ln: only ln -s TARGET PATH is supported', 2],
  ] as const)('%s fails and says why', async (script, message, code) => {
    const result = await new TestContainer().sh(script);
    expect([result.stderr, result.code]).toEqual([`${message}\n`, code]);
  });

  test('tail -f copies what is written to a file later, until a signal', async () => {
    const container = new TestContainer();
    container.files.write('/tmp/f', '1\n2\n3\n');
    const ending = new AbortController();
    const written: string[] = [];
    let ended = false;
    const stdout = { write: async (chunk: Buffer) => void written.push(String(chunk)) };
    const following = (path: string) =>
      container.run(['tail', '-f', '-n', '2', path], { stdout, signal: ending.signal });
    const running = [following('/tmp/f'), following('/dev/null')];
    for (const each of running) {
      void each.then(() => {
        ended = true;
      });
    }
    await expect.poll(() => written.join('')).toBe('2\n3\n');
    await container.sh('echo 4 >> /tmp/f; echo 5 >> /tmp/f');
    await expect.poll(() => written.join('')).toBe('2\n3\n4\n5\n');
    await container.sh('echo 6 > /tmp/f');
    await expect.poll(() => written.join('')).toBe('2\n3\n4\n5\n6\n');
    expect(ended).toBe(false);
    ending.abort(sigterm);
    expect((await Promise.all(running)).map(({ code }) => code)).toEqual([143, 143]);
  });

  test('cat copies its input as it arrives, and buffers little of it', async () => {
    const [input, output] = [makePipe(), makePipe()];
    const running = new TestContainer().run(['cat'], { stdin: input.input, stdout: output.output });
    await input.output.write(Buffer.from('first'));
    expect(String(await output.input.read())).toBe('first');
    let written = 0;
    const writing = (async () => {
      for (; written < 1000; written++) await input.output.write(Buffer.alloc(16_384));
    })();
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    // Without a reader, only as much is read as two pipes can buffer.
    expect(written).toBeLessThan(20);
    let read = 0;
    const reading = (async () => {
      for await (const chunk of output.input) read += chunk.length;
    })();
    await writing;
    input.end();
    expect((await running).code).toBe(0);
    output.end();
    await reading;
    expect(read).toBe(1000 * 16_384);
  });
});
