// Watches a collection over many connections, in a process of its own: `node watchers.mjs <url> <count> <total>` with the
// token and the CA in the environment. Says `open`; then, when each watch has got `total` events, the wrong ones as JSON.
// Each watch must get `m0`, `m1`, … once and in this order.
import { once } from 'node:events';
import { request } from 'node:https';

const [url = '', count = '0', total = '0'] = process.argv.slice(2);
const { TOKEN: token, CA: ca } = process.env;

async function openWatch() {
  const sent = request(url, { ca, agent: false, headers: { authorization: `Bearer ${token}` } });
  sent.end();
  const [response] = await once(sent, 'response');
  return response;
}

/** Reads a watch until it has got all events. Returns what was wrong first, if anything was. */
async function readAll(response) {
  let [next, rest, wrong] = [0, '', undefined];
  response.setEncoding('latin1');
  for await (const text of response) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const isNext = line.startsWith('{"type":"ADDED"') && line.includes(`"name":"m${next}"`);
      if (!isNext) wrong ??= `expected m${next}, got ${line.slice(0, 200)}`;
      next += 1;
    }
    if (next >= Number(total)) break;
  }
  return next === Number(total) ? wrong : `ended after ${next} events of ${total}`;
}

const watches = [];
for (let index = 0; index < Number(count); index += 1) watches.push(await openWatch());
process.stdout.write('open\n');
const wrong = await Promise.all(watches.map(readAll));
process.stdout.write(`${JSON.stringify(wrong.filter((each) => each !== undefined).slice(0, 5))}\n`);
process.exit(0);
