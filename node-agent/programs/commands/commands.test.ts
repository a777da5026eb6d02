// Tests the commands of containers with arguments and input.
import { describe, expect, test } from 'vitest';
import { pipe } from '../../kernel/streams.js';
import { TestContainer } from '../../testing/container.js';

describe('commands', () => {
  test.each([
    ['echo -n a b', 'a b'],
    ['echo -e "a\\tb\\x41\\0101"', 'a\tbAA\n'],
    ['printf "%s-%03d|" a 5 b 6', 'a-005|b-006|'],
    ['printf "%5s|%-5s|%.2f|%x|%%|%c\\n" a b 1.005 255 xyz', '    a|b    |1.00|ff|%|x\n'],
    ['printf "\\303\\251é\\xc3\\xa9\\n"', 'ééé\n'],
    ['printf "\\377\\000\\200" | wc -c', '3\n'],
    ['seq 2 2 6', '2\n4\n6\n'],
    ['seq 3 -1 1', '3\n2\n1\n'],
    ['seq 0.5 1.5', '0.5\n1.5\n'],
    ['hostname', 'pod-1\n'],
    ['id -u', '0\n'],
    ['printenv HOME', '/root\n'],
    ['env A=b | tail -n 1', 'A=b\n'],
    ['seq 5 | head -n 2', '1\n2\n'],
    ['seq 5 | head -c 3', '1\n2'],
    ['seq 5 | tail -2', '4\n5\n'],
    ['seq 5 | tail -c 3', '\n5\n'],
    ['seq 5 | tail -n +4', '4\n5\n'],
    ['seq 5 | tail -c +9', '5\n'],
    ['printf "a b\\nc" | wc', '1 3 5\n'],
    ['printf "a b\\nc" | wc -l -c', '1 5\n'],
    ['mkdir -p /a/b && touch /a/b/c /a/.d && ls /a && ls -a /a && rm -r /a && ls /', 'b\n.d\nb\ndev\netc\nroot\ntmp\n'],
    [
      'echo x > /tmp/f; [ -f /tmp/f ] && [ -s /tmp/f ] && [ ! -d /tmp/f ] && test 3 -ge 2 && [ a != b ] && echo ok',
      'ok\n',
    ],
    ['cat /tmp/none - 2>/dev/null < /dev/null; echo $?', '1\n'],
    ['/bin/echo path', 'path\n'],
  ] as const)('%s', async (script, stdout) => {
    expect(await new TestContainer().sh(script)).toMatchObject({ stdout });
  });

  test.each([
    ['seq a', 'seq: invalid number "a"'],
    ['sleep x', 'sleep: invalid number "x"'],
    ['test 1 -eq a', 'test: a: bad number'],
    ['[ a', '[: missing ]'],
    ['head -n x', 'head: invalid number "x"'],
    ['ls -Z', 'ls: unknown option -Z'],
    ['mkdir /tmp', 'mkdir: /tmp: File exists'],
    ['rm /tmp', 'rm: /tmp: Is a directory'],
    ['cat /tmp', 'cat: /tmp: Is a directory'],
    ['printf %q a', 'printf: %q: invalid format'],
    ['tar xf /none', 'tar: /none: No such file or directory'],
    ['echo text | tar x', 'tar: unexpected end of the archive'],
    ['head -c 1024 /dev/zero > /tmp/z; seq 1 300 | tar xf -', 'tar: invalid tar header checksum'],
  ] as const)('%s fails and says why', async (script, message) => {
    const result = await new TestContainer().sh(script);
    expect(result.stderr).toBe(`${message}\n`);
    expect(result.code).not.toBe(0);
  });

  test('date formats the present time', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { stdout } = await new TestContainer().sh('date +%s; date -u +%FT%T');
    const [seconds = '', text = ''] = stdout.split('\n');
    expect(Number(seconds)).toBeGreaterThanOrEqual(before);
    expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  });

  test('cat copies its input as it arrives, and buffers little of it', async () => {
    const [input, output] = [pipe(), pipe()];
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

  test('tail -f writes appended lines', async () => {
    const container = new TestContainer();
    container.files.write('/log', 'a\nb\n');
    const stop = new AbortController();
    const output = pipe();
    const running = container.run(['tail', '-n', '1', '-f', '/log'], { stdout: output.output, signal: stop.signal });
    expect(String(await output.input.read())).toBe('b\n');
    await container.sh('echo c >> /log');
    expect(String(await output.input.read())).toBe('c\n');
    stop.abort(new Error('enough'));
    await running;
  });
});
