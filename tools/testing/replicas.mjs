#!/usr/bin/env node
// Starts and stops an etcd, reference servers that share it, and an nginx before them, for targets of the suite.
//   replicas.mjs start   writes `url:`, `ca:` and `token:`; the state is in $STATE, the fixtures in $FIXTURES
//   replicas.mjs stop    ends what start has started, and says when a server ended before
//   MODERN=yes           serves the groups of later versions too, as `serve` does by default
//   REPLICAS             the number of servers (default 1); more than one are behind nginx
//   KILLS                kills a server this often, at random moments, each time another, and starts it again
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { referenceServerFlags } from '../../dist/cli/fixtures/flags.js';
import { readFixtures } from '../../dist/cli/fixtures/make.js';
import { isRunning } from '../../dist/cli/running.js';
import { freePort, holdPort } from '../../dist/matrix/api/freePort.js';

const { STATE, FIXTURES, EGRESS_SOCKET, KUBEBUILDER_ASSETS, MODERN, REPLICAS = '1', KILLS = '0' } = process.env;
const main = new URL('../../dist/cli/main.js', import.meta.url).pathname;
const streamModule = '/usr/lib/nginx/modules/ngx_stream_module.so';
/** How long a program may take to listen, in milliseconds. */
const timeout = 60_000;
/** The milliseconds between the kill of a server and its next start, and from there to the next kill: least and most. */
const [deadMillis, aliveMillis] = [
  [200, 1_500],
  [1_000, 4_000],
];

async function start() {
  if (FIXTURES === undefined) fail('FIXTURES names no folder');
  mkdirSync(STATE, { recursive: true });
  const etcd = await startEtcd();
  const fixtures = await readFixtures(FIXTURES);
  const replicas = [];
  for (let index = 1; index <= Number(REPLICAS); index++) {
    const port = await freePort();
    const flags = [
      ...['serve', '--port', port, '--etcd-servers', etcd, ...(MODERN === 'yes' ? [] : ['--no-modern'])],
      ...(EGRESS_SOCKET === undefined ? [] : ['--egress-proxy', EGRESS_SOCKET]),
      ...referenceServerFlags(FIXTURES, fixtures),
    ];
    replicas.push({ name: `server-${index}`, port, program: process.execPath, words: [main, ...flags.map(String)] });
  }
  writeFileSync(file('replicas.json'), JSON.stringify(replicas));
  for (const replica of replicas) launch(replica);
  for (const { name, port } of replicas) await listening(name, port);
  writeFileSync(file('started'), '');
  const port = replicas.length > 1 ? await startNginx(replicas.map((each) => each.port)) : replicas[0].port;
  if (KILLS !== '0') launch({ name: 'kills', program: process.execPath, words: [process.argv[1], 'kills'] });
  const lines = [`url: https://127.0.0.1:${port}`, `ca: ${join(FIXTURES, 'ca.crt')}`];
  process.stdout.write(`${[...lines, `token: ${fixtures.secrets.staticToken.admin}`].join('\n')}\n`);
}

async function startEtcd() {
  const folders = [KUBEBUILDER_ASSETS ?? '', ...(process.env.PATH ?? '').split(delimiter)];
  const program = folders.map((folder) => join(folder, 'etcd')).find((path) => existsSync(path));
  if (program === undefined) fail('there is no etcd: install etcd-server');
  const [client, peer] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
  launch({
    name: 'etcd',
    program,
    words: [
      ...['--data-dir', file('etcd'), '--log-level', 'error', '--unsafe-no-fsync'],
      ...['--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer],
      ...['--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
    ],
  });
  await listening('etcd', Number(new URL(client).port));
  return client;
}

async function startNginx(ports) {
  if (!existsSync(streamModule)) fail('there is no nginx with streams: install nginx-light and libnginx-mod-stream');
  const port = await freePort();
  writeFileSync(
    file('nginx.conf'),
    `load_module ${streamModule};
daemon off;
pid ${file('nginx.own-pid')};
error_log ${file('nginx.log')};
events { worker_connections 4096; }
stream {
  upstream servers {
${ports.map((each) => `    server 127.0.0.1:${each} max_fails=1 fail_timeout=1s;`).join('\n')}
  }
  server {
    listen 127.0.0.1:${port};
    proxy_pass servers;
    proxy_connect_timeout 1s;
    proxy_timeout 1h;
  }
}
`,
  );
  launch({ name: 'nginx', program: 'nginx', words: ['-p', STATE, '-c', file('nginx.conf')] });
  await listening('nginx', port);
  return port;
}

/** Kills a server at random moments, and starts it again. Writes how often to a file. */
async function killInTurns() {
  const replicas = JSON.parse(readFileSync(file('replicas.json'), 'utf8'));
  // For the time between a kill and the next start.
  for (const { port } of replicas) await holdPort(port);
  // A case that met a kill is tried once more, and no kill may meet that too: a busy machine takes longer for both.
  let took = 0;
  for (let count = 1; count <= Number(KILLS); count++) {
    await pause(randomInt(...aliveMillis) + 2 * took);
    const replica = replicas[randomInt(replicas.length)];
    writeFileSync(file('dead'), replica.name);
    process.kill(pidOf(replica.name), 'SIGKILL');
    writeFileSync(file('killed'), String(count));
    await pause(randomInt(...deadMillis));
    const began = Date.now();
    launch(replica);
    await listening(replica.name, replica.port);
    took = Date.now() - began;
    writeFileSync(file('dead'), '');
  }
}

async function stop() {
  const replicas = existsSync(file('replicas.json')) ? JSON.parse(readFileSync(file('replicas.json'), 'utf8')) : [];
  const names = ['kills', 'nginx', ...replicas.map(({ name }) => name), 'etcd'];
  const left = names.filter((name) => existsSync(file(`${name}.pid`)));
  // Servers with bad settings must end, and never listen.
  const ended = existsSync(file('started')) ? left.filter((name) => name !== 'kills' && !isRunning(pidOf(name))) : [];
  const isKilling = left.includes('kills') && isRunning(pidOf('kills')) && existsSync(file('dead'));
  const dead = isKilling ? readFileSync(file('dead'), 'utf8') : '';
  const hadEnded = ended.filter((name) => name !== dead);
  for (const name of hadEnded) process.stderr.write(`${name} had ended\n`);
  for (const name of left) {
    const pid = pidOf(name);
    if (isRunning(pid)) process.kill(pid, 'SIGTERM');
    for (const end = Date.now() + 10_000; isRunning(pid); await pause(20)) {
      if (Date.now() > end) process.kill(pid, 'SIGKILL');
    }
  }
  if (existsSync(file('killed'))) process.stderr.write(`servers killed: ${readFileSync(file('killed'), 'utf8')}\n`);
}

/** Starts a program that outlives this one. */
function launch({ name, program, words }) {
  const log = openSync(file(`${name}.output`), 'a');
  const child = spawn(program, words, { detached: true, stdio: ['ignore', log, log] });
  child.unref();
  writeFileSync(file(`${name}.pid`), String(child.pid));
}

const pidOf = (name) => Number(readFileSync(file(`${name}.pid`), 'utf8'));

/** Waits until a program listens on its port. */
async function listening(name, port) {
  for (const end = Date.now() + timeout; Date.now() < end && isRunning(pidOf(name)); await pause(50)) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() !== undefined));
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return;
  }
  fail(`${name} did not listen; its output:\n${readFileSync(file(`${name}.output`), 'utf8').slice(-1500)}`);
}

function fail(why) {
  process.stderr.write(`replicas: ${why}\n`);
  process.exit(1);
}

if (STATE === undefined) fail('STATE names no folder');
const file = (name) => join(STATE, name);
const [, , command] = process.argv;
if (command === 'start') await start();
else if (command === 'stop') await stop();
else if (command === 'kills') await killInTurns();
else fail(`"${command}" is not a command; give start or stop`);
