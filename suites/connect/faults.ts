// Servers that break exec, attach, port-forward, or all connections.
import { isAscii } from 'node:buffer';
import { chapters } from '../requirements/index.js';
import { isChecked } from '../requirements/types.js';
import { characters, cutsAfter, frames, loses } from '../testing/faults/wire/connections.js';
import { passesCredentials } from '../testing/faults/wire/credentials.js';
import { type Broken, composed, fault, faultsOf } from '../testing/faults/wire/fault.js';
import { anyStatus, errorText, forbidsAbsent, isError, replies, shownHeader, status } from '../testing/faults/wire/replies.js';
import {
  every,
  headed,
  ignore,
  instead,
  not,
  parameter,
  query,
  refuse,
  reread,
  reroute,
  withHeader,
} from '../testing/faults/wire/requests.js';

const exec = 'GET …/pods/{name}/exec';
const attach = 'GET …/pods/{name}/attach';
const portForward = 'GET …/pods/{name}/portforward';
const socket = ', v4.channel.k8s.io';
const spdyExec = 'POST …/pods/{name}/exec, SPDY/3.1';
const spdyForward = 'POST …/pods/{name}/portforward, SPDY/3.1';

const connections = /\/(exec|attach|portforward)(\?|$)/;
const megabyte = 1024 * 1024;
const sees = (name: string, value: string): Broken => parameter(connections, name, value);
/** Reads the choice of each stream as another value. */
const rereads = (to: (value: string) => string): Broken =>
  composed(['stdin', 'stdout', 'stderr', 'tty'].map((name) => reread(connections, name, to)));
/** Treats an output that is not requested as unwanted. */
const wantsAsked = (name: string): Broken => query(connections, (given) => given.has(name) || given.set(name, 'false'));
/** Requires the name of the container. */
const wantsContainer = parameter([connections, not(/container=/)], 'container', 'none');
/** Changes the command of an exec. */
const runs = (change: (command: readonly string[]) => readonly string[]): Broken =>
  query(connections, (given) => {
    const command = change(given.getAll('command'));
    given.delete('command');
    for (const word of command) given.append('command', word);
  });
/** Hears only the first or the last protocol of those that a client offers. */
const hears = (place: 'first' | 'last', name: string): Broken =>
  instead(withHeader(name, /,/), (request) => headed(request, name, request.headers[name]?.split(/, ?/).at(place === 'first' ? 0 : -1)));
const outputs: Readonly<Record<number, number>> = { 1: 2, 2: 1 };

const checked = Object.entries(chapters.connect).filter(([, row]) => isChecked(row));
/** This requirement accepts any error. */
const tolerant = 'exec-without-command';

export const faults = [
  ...faultsOf(`connect in ${exec}${socket}`, [
    fault('answers 500 for every connection', `${checked.flatMap(([name]) => (name === tolerant ? [] : name)).join(' ')} in connect.`, [
      refuse(connections, 500),
    ]),
    fault('runs a command of its own where none is given', `${tolerant} › POST`, [reroute(/\/exec\?(?!.*command=)/, /$/, '&command=true')]),
    fault('loses the exit status of a command', 'exec-exit-status exec-stdin-default', [loses(/server error/)]),
    fault('holds on when the command has ended', `exec-exit-status › ${exec}`, [{ neverEnds: true }, frames(/^/, () => ({}))]),
    fault('reads exit codes as signed bytes', 'exec-exit-status', [characters(/server error/, /203/g, '-53')]),
    fault('tells every end of a command as a success', 'exec-exit-status', [characters(/server error/, /.+/s, '{"status":"Success"}')]),
    fault(
      'takes the outputs of a command for each other',
      `exec websocket exec-bytes exec-command exec-no-shell exec-stdin exec-container exec-container-default exec-stdout-default exec-stdout-off
     exec-stderr-default exec-stderr-off exec-tty exec-tty-default exec-resize`,
      [frames(/ server/, ({ id }) => ({ id: outputs[id] ?? id }))],
    ),
    fault('loses the end of the input', `exec-input-end in ${exec}, v5`, [frames(/ client/, ({ last }) => (last ? undefined : {}))]),
    fault('cuts the output of a command', 'exec-bytes', [cutsAfter(/server stdout/, megabyte)]),
    fault('cuts the input of a command', `exec-bytes in ${spdyExec}`, [cutsAfter(/client stdin/, megabyte)]),
    fault('gives a command no terminal', 'exec-tty exec-resize forwarded', [ignore(connections, 'tty')]),
    fault(
      'gives a terminal to a command without input',
      'exec-command exec-tty-default exec-no-shell exec-container exec-container-default',
      [parameter([connections, /stdout=true/, /stderr=true/, not(/stdin=/)], 'tty', 'true')],
    ),
    fault('keeps the size of a terminal to itself', 'exec-resize', [loses(/client resize/)]),
    fault('splits the arguments of a command at their spaces', 'exec-command exec-exit-status', [
      runs((command) => command.flatMap((word) => (word.includes(';') ? [word] : word.split(' ')))),
    ]),
    fault('leaves empty arguments out of a command', 'exec-command forwarded', [runs((command) => command.filter((word) => word !== ''))]),
    fault('cuts long arguments of a command', 'exec-command', [runs((command) => command.map((word) => word.slice(0, 4_096)))]),
    fault('leaves repeated arguments out of a command', 'exec-command', [runs((command) => [...new Set(command)])]),
    fault('cuts the arguments of a command at a line break', 'exec-command', [
      runs((command) => command.map((word) => word.split('\n')[0] ?? '')),
    ]),
    fault('decodes the arguments of a command twice', 'exec-command forwarded', [
      runs((command) => command.map((word) => decodeURIComponent(word.replaceAll('+', ' ').replace(/%(?![0-9A-F]{2})/g, '%25')))),
    ]),
    fault('reads a plus sign in a command as itself', 'forwarded', [reroute(connections, /(?<=command=[^&]*)\+/g, '%2B')]),
    fault('knows no characters beyond ASCII in a command', 'exec-command', [
      runs((command) => command.map((word) => word.replace(/[^ -~]/g, '?'))),
    ]),
    fault('has a shell read the command', 'exec-no-shell exec-exit-status', [
      runs((command) => (command[0] === 'echo' ? ['sh', '-c', command.join(' ')] : command)),
    ]),
    fault('loses the input of a command', 'exec websocket exec-stdin exec-bytes', [loses(/client stdin/)]),
    fault('always has an input', 'exec-stdin-default forwarded', [sees('stdin', 'true')]),
    fault('connects no standard output that is not asked for', 'exec-stdout-default', [wantsAsked('stdout')]),
    fault('connects no standard error that is not asked for', 'exec-stderr-default', [wantsAsked('stderr')]),
    fault('always sends the standard output', 'exec-stdout-off forwarded', [sees('stdout', 'true')]),
    fault('always sends the standard error', 'exec-stderr-off', [sees('stderr', 'true')]),
    fault('knows no container by name', `exec-container › ${exec}`, [ignore(connections, 'container')]),
    fault('runs a command where no container has the name', `exec-container-unknown › ${exec}`, [ignore(/container=nobody/, 'container')]),
    fault('wants a container to be named', 'exec-container-default exec-container-required', [wantsContainer]),
    fault('names no containers where there are several', `exec-container-required › ${exec}`, [errorText(every, () => '{}')]),
    fault('knows one spelling of true in a query', 'forwarded', [rereads((value) => String(value === 'true'))]),
    fault('knows one spelling of false in a query', 'forwarded', [rereads((value) => String(value !== 'false'))]),
    fault('asks the node for a terminal that nobody wants', 'forwarded', [
      { atNode: (request) => ({ ...request, path: request.path.replace('?', '?tty=1&') }) },
    ]),
  ]),
  ...faultsOf(`connect in ${attach}${socket}`, [
    fault(
      'loses what is typed to a process',
      `attach websocket attach-stdin attach-stdin-default attach-stdout-default attach-stderr-off attach-container attach-stdout-off
     attach-stderr-default attach-tty attach-left attach-container-default`,
      [loses(/client stdin/)],
    ),
    fault('types what the client did not ask to send', 'attach-stdin-default forwarded', [sees('stdin', 'true')]),
    fault('attaches no standard output that is not asked for', 'attach-stdout-default', [wantsAsked('stdout')]),
    fault('attaches no standard error that is not asked for', 'attach-stderr-default', [wantsAsked('stderr')]),
    fault('always attaches the standard output', 'attach-stdout-off forwarded', [sees('stdout', 'true')]),
    fault('always attaches the standard error', 'attach-stderr-off', [sees('stderr', 'true')]),
    fault('loses the standard error of a terminal', 'attach-tty', [characters(/tty=true.* server/, /error/g, '')]),
    fault('gives every attach the lines of a terminal', 'attach-tty-default', [characters(/server stdout/, /\n/g, '\r\n')]),
    fault('starts the process again for each client', 'attach-left', [characters(/server stderr/, /error \d+/g, 'error 1')]),
    fault('attaches to no container by its name', `attach-container › ${attach}`, [ignore(connections, 'container')]),
    fault('wants the container of an attach to be named', 'attach-container-default', [wantsContainer]),
  ]),
  ...faultsOf(`connect in ${portForward}${socket}`, [
    fault('leads every connection to one port', 'portforward-several forwarded', [reroute(every, 'ports=8081', 'ports=8080')]),
    fault('tells no error of a port', 'portforward-closed', [loses(/server error/)]),
    fault('cuts what comes from a port', `portforward-bytes in ${spdyForward}`, [cutsAfter(/server data/, megabyte)]),
    fault('cuts what goes to a port', 'portforward-bytes', [cutsAfter(/client data/, megabyte)]),
    fault('forwards the first connection only', 'portforward-several portforward-closed', [
      frames(/ data/, ({ id }) => (id > 1 ? undefined : {})),
    ]),
  ]),
  ...faultsOf(`connect in ${exec}${socket}`, [
    fault('refuses a connection for the media types of the client', 'any-type', [refuse(withHeader('accept', /x-unknown/), 406)]),
    fault('wants one word in Connection', 'websocket', [refuse(withHeader('connection', /,/), 400)]),
    fault('sends text where bytes are due', 'websocket', [frames(/ server/, ({ content }) => ({ text: isAscii(content) }))]),
    fault('sends bytes where text is due', `websocket-base64 in ${exec}, v4.base64`, [frames(/ server/, () => ({ text: false }))]),
    fault('says another version of the streams than it was asked for', `spdy in ${spdyExec}`, [
      shownHeader(every, 'x-stream-protocol-version', 'v3.channel.k8s.io'),
    ]),
    ...(['first', 'last'] as const).flatMap((place) => [
      fault(`hears the ${place} version of the streams that a client offers`, `spdy › ${spdyExec}`, [
        hears(place, 'x-stream-protocol-version'),
      ]),
      fault(`hears the ${place} subprotocol that a client offers`, 'any-type websocket', [hears(place, 'sec-websocket-protocol')]),
    ]),
    fault('refuses a connection with a parameter that it does not know', `forwarded › ${exec}`, [refuse([connections, /unknown=/], 400)]),
    fault('sends the credentials of a client on to the node', `credentials-kept in ${spdyExec}`, [passesCredentials()]),
    fault('holds the connection to the node when the client leaves', `left in ${spdyExec}`, [{ holdsOn: true }]),
    fault('answers 200 to a client that asks for no upgrade', `without-upgrade › ${exec}`, [status(connections, anyStatus, 200)]),
    fault('answers 500 for a Pod that is absent', `absent › ${exec}`, [status(connections, isError, 500)]),
    fault('asks admission about the Pod first', ` in connect.absent › ${exec}`, [forbidsAbsent(connections)]),
    ...['absent', 'unscheduled'].map((requirement) =>
      fault(`refuses a Pod that is ${requirement} in plain text`, `${requirement} › ${exec}`, [
        replies(connections, isError, () => ({ headers: { 'content-type': 'text/plain' }, body: 'refused' })),
      ]),
    ),
    fault('answers 403 for a Pod that is absent', `absent › ${exec}`, [status(connections, 404, 403)]),
    fault('knows Pods by their names alone', `absent › ${exec}`, [reroute(connections, /-other(?=\/pods\/)/, '-main')]),
    fault('answers 404 for a Pod that no node runs', `unscheduled › ${exec}`, [status(connections, isError, 404)]),
  ]),
];
