import { parseArgs } from 'node:util';
import { benchGrowth } from './growth.js';
import { benchQuick, benchRatios } from './suites/ratios.js';

const HELP = `npm run bench                 both services compared with a bare handler that runs the same statements
npm run bench -- quick        the same with small tables; fails if a ratio is below half of its goal
npm run bench -- growth       requests on tables of 100,000 to 10 million rows

--nodes 1000000 --events 10000000   rows in the tables       --rounds 5 --seconds 3   for each side
--only <text>   only scenarios whose name contains the text`;

const number = (text: string): number => {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${text} is not a positive whole number`);
  return Number(text);
};
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    nodes: { type: 'string', default: '1000000' },
    events: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const [command = 'ratios'] = positionals;
const size = { nodes: number(values.nodes), events: number(values.events), rounds: number(values.rounds) };
const options = { ...size, seconds: number(values.seconds), only: values.only };
const commands: Record<string, () => Promise<void>> = {
  ratios: () => benchRatios(options),
  quick: benchQuick,
  growth: () => benchGrowth(options),
};
// `process.exit` runs the exit handlers, which stop the database and the services.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
const run = commands[command];
if (values.help || !run) {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 1;
} else await run();
