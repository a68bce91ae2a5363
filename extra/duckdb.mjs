// Runs a file of SQL statements in DuckDB, on the files in the working directory: node extra/duckdb.mjs FILE
import { readFile } from 'node:fs/promises';
import './installed.mjs';

const { DuckDBInstance } = await import('@duckdb/node-api');
const database = await DuckDBInstance.create();
const connection = await database.connect();
await connection.run(await readFile(process.argv[2], 'utf8'));
