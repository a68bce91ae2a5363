import { Gauge, type Registry } from 'prom-client';

/** A metric that is read at each scrape. */
export const gauge = (registry: Registry, name: string, help: string, read: () => number): Gauge =>
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
