import { parseArgs } from 'node:util';
import { benchGrowth } from './growth.js';
import { benchImport } from './import.js';
import { benchLag } from './lag.js';
import { benchStart, benchStartQuickly } from './start.js';
import { benchTimes } from './times.js';
import { benchQuick, benchRatios } from './suites/ratios.js';

/** `npm run bench`, `npm run bench -- quick`, `npm run bench -- growth`, `npm run bench -- lag`, `npm run bench -- import`, `npm run bench -- times`, `npm run bench -- start`: see docs/benchmarks.md. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    nodes: { type: 'string', default: '1000000' },
    events: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    than: { type: 'string', default: '' },
    runs: { type: 'string', default: '7' },
  },
});
const options = {
  nodes: Number(values.nodes),
  events: Number(values.events),
  only: values.only,
  than: values.than,
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
};
const [command = 'ratios'] = positionals;
if (command === 'ratios') await benchRatios(options);
else if (command === 'quick') {
  await benchQuick();
  await benchStartQuickly();
} else if (command === 'growth') await benchGrowth(options);
else if (command === 'lag') await benchLag(options);
else if (command === 'import') await benchImport(options);
else if (command === 'times') await benchTimes(options);
else if (command === 'start') await benchStart({ than: values.than, runs: Number(values.runs) });
else throw new Error(`npm run bench -- ${command} does not exist, only quick, growth, lag, import, times and start`);
