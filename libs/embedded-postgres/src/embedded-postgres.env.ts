const { PATH, SYSTEMROOT, TEMP } = process.env;

/** The server's whole environment: no PG* variable may change how it starts. Windows needs SYSTEMROOT for sockets. */
export const serverEnvironment: NodeJS.ProcessEnv = { PATH, SYSTEMROOT, TEMP, LC_ALL: 'C', TZ: 'UTC' };
