// The commands that look names up: nslookup, dig, getent, hostname.
import { type Process, type Program, ProgramError } from '../kernel/process.js';
import { writeText } from '../kernel/streams.js';
import type { DnsRecord, RecordType } from '../network/clusterNames.js';
import {
  addressesOf,
  addressOf,
  askServer,
  clusterNameServer,
  hostsLine,
  resolverConfig,
  UnknownHost,
} from './resolver.js';

/** `nslookup NAME`, with the server of the container. */
export const nslookup: Program = async (process) => {
  const [, name, server] = process.argv;
  if (name === undefined || name.startsWith('-')) throw new ProgramError('usage: nslookup NAME', 1);
  if (server !== undefined && server !== clusterNameServer) {
    throw new ProgramError(`only the server ${clusterNameServer} is simulated`, 2);
  }
  await writeText(process.stdout, `Server:\t\t${clusterNameServer}\nAddress:\t${clusterNameServer}:53\n\n`);
  try {
    const found = await addressesOf(process.sandbox, name);
    const lines = found.addresses.map((address) => `Name:\t${found.name}\nAddress: ${address}\n`);
    await writeText(process.stdout, `${lines.join('')}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof UnknownHost)) throw error;
    await writeText(process.stdout, `** server can't find ${name}: NXDOMAIN\n\n`);
    return 1;
  }
};

const recordTypes: ReadonlySet<string> = new Set(['A', 'CNAME', 'SRV', 'PTR']);

/** The seconds for which the DNS server says that its records are good. */
const recordSeconds = 30;

interface Question {
  readonly name: string;
  readonly type: RecordType;
  /** Whether the search list is used. */
  readonly searches: boolean;
  readonly isShort: boolean;
  /** Whether only the answer is written. */
  readonly isBare: boolean;
}

/** `dig [@SERVER] [+[no]search] [+short] [+noall +answer] [-t TYPE] NAME [TYPE]`, and `dig -x ADDRESS`. */
export const dig: Program = async (process) => {
  const { name, type, searches, isShort, isBare } = questionIn(process.argv.slice(1));
  const { sandbox, stdout } = process;
  if (!resolverConfig(sandbox).servers.includes(clusterNameServer)) {
    await writeText(stdout, ';; connection timed out; no servers could be reached\n');
    return 9;
  }
  const found = await askServer(sandbox, searches ? name : `${name.replace(/\.$/, '')}.`, type).catch(
    (error: unknown) => {
      if (!(error instanceof UnknownHost)) throw error;
      return undefined;
    },
  );
  const records = found?.records ?? [];
  const whole = `${(found?.name ?? name).replace(/\.$/, '')}.`;
  const answer = records.map((record) => `${isShort ? record.data : lineOf(record)}\n`).join('');
  if (isShort || isBare) await writeText(stdout, answer);
  else {
    const status = found === undefined ? 'NXDOMAIN' : 'NOERROR';
    const head = `;; Got answer:\n;; ->>HEADER<<- opcode: QUERY, status: ${status}\n\n`;
    const server = `;; SERVER: ${clusterNameServer}#53(${clusterNameServer})\n`;
    const section = answer === '' ? '' : `;; ANSWER SECTION:\n${answer}\n`;
    await writeText(stdout, `${head};; QUESTION SECTION:\n;${whole}\t\tIN\t${type}\n\n${section}${server}`);
  }
  return 0;
};

const lineOf = ({ name, type, data }: DnsRecord): string => `${name}.\t${recordSeconds}\tIN\t${type}\t${data}`;

/** Throws ProgramError for what is not simulated. Whether TCP or UDP is used makes no difference. */
function questionIn(args: readonly string[]): Question {
  const left = [...args];
  const options = new Map<string, boolean>();
  const words: string[] = [];
  let type: string | undefined;
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    const [, no, option] = /^\+(no)?(all|answer|search|short|tcp|vc)$/.exec(argument) ?? [];
    if (option !== undefined) options.set(option, no === undefined);
    else if (argument === '-t') type = left.shift();
    else if (argument === '-x') {
      words.push(`${(left.shift() ?? '').split('.').reverse().join('.')}.in-addr.arpa.`);
      type = 'PTR';
    } else if (argument === `@${clusterNameServer}`) continue;
    else if (/^[-+@]/.test(argument)) throw new ProgramError(`${argument} is not supported`, 1);
    else if (recordTypes.has(argument.toUpperCase())) type = argument;
    else words.push(argument);
  }
  const [name, ...others] = words;
  if (name === undefined || others.length > 0) throw new ProgramError('usage: dig [+OPTION]… NAME [TYPE]', 1);
  const asked = (type ?? 'A').toUpperCase();
  if (!recordTypes.has(asked)) throw new ProgramError(`the type ${asked} is not simulated`, 1);
  const isOn = (option: string, usual: boolean) => options.get(option) ?? usual;
  return {
    name,
    type: asked as RecordType,
    searches: isOn('search', false),
    isShort: isOn('short', false),
    isBare: !isOn('all', true) && isOn('answer', false),
  };
}

/** `getent hosts NAME…` and `getent ahostsv4 NAME…`: by the files of the container, then by the DNS server. */
export const getent: Program = async (process) => {
  const [, database, ...names] = process.argv;
  if (database !== 'hosts' && database !== 'ahostsv4') throw new ProgramError('only getent hosts is supported', 1);
  let code = 0;
  for (const host of names) {
    const line = hostsLine(process.sandbox, host);
    const [address, ...others] = line ?? (await known(process, host)) ?? [];
    if (address === undefined) code = 2;
    else await writeText(process.stdout, `${address.padEnd(15)} ${others.join(' ')}\n`);
  }
  return code;
};

/** Asks the DNS server: the address of a host, and its whole name. */
async function known({ sandbox }: Process, host: string): Promise<readonly string[] | undefined> {
  try {
    const { name, addresses } = await addressesOf(sandbox, host);
    return [addresses[0] ?? '', name];
  } catch (error) {
    if (error instanceof UnknownHost) return undefined;
    throw error;
  }
}

/** `hostname`, and `hostname -i`: the address of that name. */
export const hostname: Program = async ({ argv, sandbox, stdout }) => {
  const [, option, ...others] = argv;
  if (others.length > 0 || (option !== undefined && option !== '-i')) {
    throw new ProgramError('only hostname -i is supported', 2);
  }
  const name = sandbox.hostname;
  const text = option === undefined ? name : await addressOf(sandbox, name).catch(() => undefined);
  if (text === undefined) throw new ProgramError(`${name}: Unknown host`);
  await writeText(stdout, `${text}\n`);
  return 0;
};
