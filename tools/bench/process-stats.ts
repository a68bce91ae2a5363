import { readFileSync } from 'node:fs';

/** Linux counts the time of a process in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const MEGABYTE = 1024 * 1024;

/** Most resident memory the process ever had, in MB; elsewhere than on Linux, what its metrics say that it has now. */
export async function peakMegabytes(pid: number, url: string): Promise<number> {
  if (process.platform === 'linux') {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return (Number(kilobytes) * 1024) / MEGABYTE;
  }
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]) / MEGABYTE;
}

/** Resident memory of the process, in MB; of Linux alone. */
export const residentMegabytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/**
 * How late the event loop came to its timers since the last time this was asked, 99th percentile in ms. As its metrics say: the 10 ms between two looks are in it.
 */
export async function eventLoopDelayMs(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics)?.[1]) * 1_000;
}

/** Seconds of processor time the process has used, all threads; NaN elsewhere than on Linux. */
export function cpuSeconds(pid: number): number {
  if (process.platform !== 'linux') return NaN;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in parentheses, may have spaces; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
