// Tests the programs that serve and that connect, in one container: web servers, agnhost, wget, curl, nc, nslookup.
import { afterEach, describe, expect, test } from 'vitest';
import { sigterm } from '../kernel/process.js';
import { TestContainer } from '../testing/container.js';

let stop = new AbortController();
let running: Promise<unknown> = Promise.resolve();
afterEach(async () => {
  stop.abort(sigterm);
  await running;
  stop = new AbortController();
});

/** Starts an image, and resolves with its container when it listens. */
async function start(image: string, args: readonly string[], port: number, environment = {}): Promise<TestContainer> {
  const container = new TestContainer();
  container.files.write('/etc/hosts', '127.0.0.1\tlocalhost\n10.244.0.7\tpod-1 # this one\n');
  container.files.write(
    '/etc/resolv.conf',
    'nameserver 10.0.0.10\nsearch ns.svc.cluster.local cluster.local\noptions ndots:5\n',
  );
  container.names.set('web.ns.svc.cluster.local', ['10.0.7.7']);
  container.names.set('7.7.0.10.in-addr.arpa', ['web.ns.svc.cluster.local.']);
  const own =
    image === 'none'
      ? container.run(args, { signal: stop.signal })
      : container.run(args, { signal: stop.signal, environment }, image);
  running = own;
  await expect.poll(() => container.listens(port)).toBe(true);
  return container;
}
const netexec = () => start('agnhost', ['netexec', '--http-port=80'], 80);

describe('web servers', () => {
  test.each([
    ['nginx', /<h1>Welcome to nginx!<\/h1>/],
    ['httpd', /<h1>It works!<\/h1>/],
  ])('%s has a page', async (image, page) => {
    const container = await start(image, [], 80);
    expect((await container.sh('wget -qO- http://localhost')).stdout).toMatch(page);
    expect(await container.sh('curl -sI localhost')).toMatchObject({
      stdout: expect.stringMatching(/^HTTP\/1\.1 200 OK\r\nserver: /),
    });
    expect((await container.sh('curl -s -o /dev/null -w "%{http_code}\\n" localhost/none')).stdout).toBe('404\n');
  });

  test.each(['nautilus', 'kitten'])('%s names its picture', async (image) => {
    const container = await start(image, [], 80);
    expect((await container.sh('curl -s localhost/data.json')).stdout).toBe(`{"image":"${image}.jpg"}`);
  });

  test('nginx serves what a volume has at its place, and refuses a directory without a page', async () => {
    const container = new TestContainer();
    container.files.write('/etc/hosts', '127.0.0.1\tlocalhost\n');
    container.files.makeDirectory('/usr/share/nginx/html/sub');
    container.files.write('/usr/share/nginx/html/a.json', '{}');
    running = container.run(['nginx', '-g', 'daemon off;'], { signal: stop.signal }, 'nginx');
    await expect.poll(() => container.listens(80)).toBe(true);
    expect(
      (
        await container.sh(
          'curl -s localhost/a.json; curl -s localhost/; curl -s localhost/sub; curl -s localhost/../../../etc/hosts',
        )
      ).stdout,
    ).toBe('{}403 Forbidden\n403 Forbidden\n404 Not Found\n');
  });

  test('httpd of busybox, and test-webserver, serve files', async () => {
    const container = await start('none', ['httpd', '-f', '-p', '8080', '-h', '/etc'], 8080);
    expect((await container.sh('wget -q -O - localhost:8080/hosts | head -n 1')).stdout).toBe('127.0.0.1\tlocalhost\n');
    stop.abort(sigterm);
    await running;
    stop = new AbortController();
    running = container.run(['test-webserver', '--port', '81'], { signal: stop.signal }, 'agnhost');
    await expect.poll(() => container.listens(81)).toBe(true);
    expect((await container.sh('curl -s localhost:81/etc')).stdout).toContain('<a href="hosts">hosts</a>');
  });

  test.each([
    [['httpd'], 'none', 'only httpd -f, in the foreground, is supported'],
    [['nginx', '-t'], 'nginx', '-t is not simulated'],
    [['httpd', '-f', '-p', 'x'], 'none', '"x" is not a port'],
  ])('refuse what they cannot do: %j', async (args, image, message) => {
    const { code, stderr } = await new TestContainer().run(args, {}, image);
    expect([code > 0, stderr]).toEqual([true, expect.stringContaining(message)]);
  });
});

describe('netexec', () => {
  test.each([
    ['/hostname', /^pod-1$/],
    ['/hostName', /^pod-1$/],
    ['/healthz', /^$/],
    ['/clientip', /^10\.244\.0\.9:40000$/],
    ['/echo?msg=a%20b', /^a b$/],
    ['/header?key=Accept', /^\*\/\*$/],
    ['/', /^NOW: 20/],
    ['/readyz', /^NOW: 20/],
    ['/shell?shellCommand=echo+hi;+false', /^\{"output":"hi\\n","error":"exit status 1"\}$/],
    ['/shell?cmd=hostname', /^\{"output":"pod-1\\n"\}$/],
    ['/dial?host=web&port=80&request=echo?msg=x&tries=2', /^\{"responses":\["x","x"\]\}$/],
    ['/dial?host=web&port=81', /^\{"errors":\["dial tcp 10.0.7.7:81: connect: connection refused"\]\}$/],
    ['/dial?host=web&port=8081&protocol=udp&request=hostName&tries=2', /^\{"responses":\["pod-1","pod-1"\]\}$/],
    ['/dial?host=web&port=8081&protocol=udp&request=clientip', /^\{"responses":\["10\.244\.0\.9:40000"\]\}$/],
    ['/dial?host=web&port=80&protocol=udp', /^\{"errors":\["dial udp 10.0.7.7:80: connect: connection refused"\]\}$/],
    ['/dial?host=web&port=80&protocol=sctp', /^\{"errors":\["sctp is not simulated"\]\}$/],
    ['/upload', /not simulated/],
    ['/redirect?location=/hostname&code=301', /^pod-1$/],
  ])('%s', async (path, body) => {
    const container = await netexec();
    const { stdout } = await container.run(['curl', '-sL', `http://localhost${path}`]);
    expect(stdout).toMatch(body);
  });

  test('exits with a code, and is not healthy on its way out', async () => {
    const container = await netexec();
    await container.sh('curl -s localhost/exit?code=3'.replace('?', '"?"'));
    expect(await running).toMatchObject({ code: 3 });
  });
});

describe('agnhost', () => {
  test('serve-hostname answers over HTTP or TCP', async () => {
    const container = await start('agnhost', ['serve-hostname'], 9376);
    expect((await container.sh('curl -s localhost:9376')).stdout).toBe('pod-1');
    stop.abort(sigterm);
    await running;
    stop = new AbortController();
    running = container.run(
      ['serve-hostname', '--tcp', '--http=false', '--port', '81'],
      { signal: stop.signal },
      'agnhost',
    );
    await expect.poll(() => container.listens(81)).toBe(true);
    expect((await container.sh('nc localhost 81')).stdout).toBe('pod-1');
  });

  test('porter serves the texts of its environment', async () => {
    const container = await start('agnhost', ['porter'], 81, { SERVE_PORT_80: 'foo', SERVE_TLS_PORT_81: 'bar' });
    expect((await container.sh('curl -s localhost/x; curl -sk https://localhost:81')).stdout).toBe('foobar');
  });

  test('is a command in its own container alone', async () => {
    const container = await netexec();
    expect(await container.sh('/agnhost dns-suffix')).toMatchObject({ code: 127 });
    container.image = 'registry.example/agnhost:2.21';
    expect((await container.sh('/agnhost dns-suffix')).stdout).toBe('ns.svc.cluster.local,cluster.local');
  });

  test('nettest records who writes to it', async () => {
    const container = await start('agnhost', ['nettest', '-port', '81'], 81);
    const write = `wget -qO- --post-data='{"Source":"me"}' localhost:81/write`;
    expect((await container.sh(`${write}; curl -s -d x localhost:81/write; curl -s localhost:81/read`)).stdout).toMatch(
      /^\{"Hostname":"pod-1"\}give \{"Source":"NAME"\}\{.*"Received":\{"me":1\}/,
    );
  });

  test('liveness is alive at first', async () => {
    const container = await start('agnhost', ['liveness'], 8080);
    expect((await container.sh('curl -s localhost:8080/healthz')).stdout).toBe('ok');
  });

  test.each([
    ['connect localhost:80', 0, ''],
    ['connect localhost:81', 1, 'REFUSED\n'],
    ['connect nowhere:80 --timeout=3s', 1, 'DNS: lookup nowhere: no such host\n'],
    ['dns-suffix', 0, ''],
    ['gui', 2, 'is not simulated; connect, crd-conversion-webhook, dns-server-list, '],
    ['nettest -service x', 2, 'peers are not simulated'],
  ])('%s', async (args, code, stderr) => {
    const container = await netexec();
    const result = await container.run(args.split(' '), {}, 'agnhost');
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(stderr)]);
    if (args === 'dns-suffix') expect(result.stdout).toBe('ns.svc.cluster.local,cluster.local');
  });
});

test('guestbook asks its backends', async () => {
  const container = await start('agnhost', ['guestbook', '--http-port', '6379'], 6379);
  for (const name of ['agnhost-primary', 'agnhost-replica']) {
    container.names.set(`${name}.ns.svc.cluster.local`, ['10.0.7.7']);
  }
  const ask = async (path: string) => (await container.sh(`curl -s "localhost:6379/${path}"`)).stdout;
  expect(await ask('guestbook?cmd=set&key=messages&value=a%20b')).toBe('{"message":"Updated"}');
  expect(await ask('guestbook?cmd=get&key=messages')).toBe('{"data":"a b"}');
  expect(await ask('get')).toBe('{"data":"{\\"messages\\":\\"a b\\"}"}');
  expect(await ask('guestbook?cmd=drop')).toBe('unsupported cmd: drop');
  expect(await ask('none')).toBe('404 page not found\n');
});

describe('clients', () => {
  test.each([
    ['wget -q -O /tmp/x web/hostname; cat /tmp/x', 'pod-1', '', 0],
    [
      'cd /tmp; wget web/hostname; cat hostname',
      'pod-1',
      "Connecting to web (10.0.7.7:80)\nsaving to 'hostname'\n'hostname' saved\n",
      0,
    ],
    ['wget -qO- --post-data a=b web/hostname', 'pod-1', '', 0],
    ['wget -qO- web:81', '', "wget: can't connect to remote host (10.0.7.7): Connection refused\n", 1],
    ['wget -qO- nowhere', '', "wget: bad address 'nowhere'\n", 1],
    ['wget -qO- http://web/upload', '', 'wget: server returned error: HTTP/1.1 501 Not Implemented\n', 1],
    ['wget -q -T 1 -O- "web/shell?cmd=sleep+60"', '', 'wget: download timed out\n', 1],
    ['wget -Z web', '', 'wget: unknown option -Z\n', 2],
    ['curl web/hostname', 'pod-1', '', 0],
    ['curl -H "X-A: b" "web/header?key=x-a"', 'b', '', 0],
    ['curl nowhere', '', 'curl: (6) Could not resolve host: nowhere\n', 6],
    ['curl -s nowhere', '', '', 6],
    ['curl -sS web:81', '', 'curl: (7) Failed to connect to web port 81: Connection refused\n', 7],
    ['curl -f web/upload', '', 'curl: (22) The requested URL returned error: 501\n', 22],
    ['curl -m 1 "web/shell?cmd=sleep+60"', '', 'curl: (28) Operation timed out\n', 28],
    ['curl ftp://web', '', 'curl: ftp: is not supported\n', 1],
    ['nc -z web 80', '', '', 0],
    ['nc -zv -w 2 web 80', '', 'Connection to web 80 port [tcp/*] succeeded!\n', 0],
    ['nc -z web 81', '', 'nc: connect to web port 81 (tcp) failed: Connection refused\n', 1],
    ['printf "GET /echo?msg=x HTTP/1.0\\r\\n\\r\\n" | nc web 80 | tail -n 1', 'x', '', 0],
    ['echo hostName | nc -w 1 -u web 8081', 'pod-1', '', 0],
    ['echo "echo A b" | nc -w 1 -u web 8081; echo what | nc -u -w 1 web 8081', 'A b', '', 0],
    ['nc -zu web 80', '', 'nc: connect to web port 80 (udp) failed: Connection refused\n', 1],
    [
      'nslookup web',
      'Server:\t\t10.0.0.10\nAddress:\t10.0.0.10:53\n\nName:\tweb.ns.svc.cluster.local\nAddress: 10.0.7.7\n\n',
      '',
      0,
    ],
    ['nslookup web.ns.svc.cluster.local. | tail -n 2', 'Address: 10.0.7.7\n\n', '', 0],
    ['nslookup none | tail -n 2', "** server can't find none: NXDOMAIN\n\n", '', 0],
    ['dig +noall +answer +search web A', 'web.ns.svc.cluster.local.\t30\tIN\tA\t10.0.7.7\n', '', 0],
    ['dig +notcp +short web.ns.svc.cluster.local', '10.0.7.7\n', '', 0],
    ['dig +short web; dig +short none +search', '', '', 0],
    ['dig web.ns.svc.cluster.local | head -n 2 | tail -n 1', ';; ->>HEADER<<- opcode: QUERY, status: NOERROR\n', '', 0],
    ['dig none SRV | tail -n +5 | head -n 1', ';none.\t\tIN\tSRV\n', '', 0],
    ['dig -x 10.0.7.7 +short', 'web.ns.svc.cluster.local.\n', '', 0],
    ['dig @8.8.8.8 web', '', 'dig: @8.8.8.8 is not supported\n', 1],
    ['dig web MX extra', '', 'dig: usage: dig [+OPTION]… NAME [TYPE]\n', 1],
    ['dig -t MX web', '', 'dig: the type MX is not simulated\n', 1],
    [
      'getent hosts pod-1 web; hostname -i',
      '10.244.0.7      pod-1\n10.0.7.7        web.ns.svc.cluster.local\n10.244.0.7\n',
      '',
      0,
    ],
    ['getent hosts none', '', '', 2],
    ['getent passwd', '', 'getent: only getent hosts is supported\n', 1],
    ['nslookup web 8.8.8.8', '', 'nslookup: only the server 10.0.0.10 is simulated\n', 2],
  ])('%s', async (script, stdout, stderr, code) => {
    const container = await netexec();
    expect(await container.sh(script)).toEqual({ stdout, stderr, code });
  });

  test('without a server for names there are no names', async () => {
    const container = await netexec();
    container.files.write('/etc/resolv.conf', 'nameserver 8.8.8.8\n');
    expect(await container.sh('curl -sS web')).toMatchObject({ code: 6 });
    expect((await container.sh('curl -s pod-1/hostname')).stdout).toBe('pod-1');
    const timeout = ';; connection timed out; no servers could be reached\n';
    expect(await container.sh('dig web')).toMatchObject({ stdout: timeout, code: 9 });
  });
});
