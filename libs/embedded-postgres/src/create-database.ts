import pg from 'pg';

/**
 * The statement that creates an empty database, with the same encoding and locale on every server (docs/operations.md): the locale's library
 * must not decide how text is sorted or compared.
 */
export const createDatabaseStatement = (name: string): string =>
  `create database ${pg.escapeIdentifier(name)} template template0 encoding 'UTF8' locale 'C'`;
