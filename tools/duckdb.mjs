// Runs a file of SQL statements in DuckDB, on the files in the working directory: node tools/duckdb.mjs FILE
import { readFile } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';

const database = await DuckDBInstance.create();
const connection = await database.connect();
await connection.run(await readFile(process.argv[2], 'utf8'));
