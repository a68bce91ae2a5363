import { cpus, totalmem } from 'node:os';

const GIGABYTE = 1024 ** 3;

/** What the numbers depend on, as rows of a table. */
export const machine = (postgres: string, records: number): [string, string][] => [
  ['Processor', `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores for service, database and load together`],
  ['Memory', `${Math.round(totalmem() / GIGABYTE)} GB`],
  ['System', `${process.platform} ${process.arch}`],
  ['Node.js', process.versions.node],
  ['PostgreSQL', postgres],
  ['Records', records.toLocaleString('en-GB')],
  ['Date', new Date().toISOString().slice(0, 10)],
];
