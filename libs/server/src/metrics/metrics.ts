import { Counter, Gauge, type LabelValues, type Registry } from 'prom-client';

/** A metric that the service counts up. */
export const counter = <Label extends string>(registry: Registry, name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
  new Counter({ name, help, labelNames, registers: [registry] });

/** The values of a metric, each with its labels. */
export type Readings = readonly (readonly [labels: LabelValues<string>, value: number])[];

/** A metric with a label, which is read at each scrape. @param Kind what its values are: a gauge can fall, a counter only grows */
export const readings = (
  Kind: typeof Gauge | typeof Counter,
  registry: Registry,
  [name, help]: readonly [name: string, help: string],
  labelNames: string[],
  read: () => Readings,
): Gauge | Counter =>
  new Kind({
    name,
    help,
    labelNames,
    registers: [registry],
    collect(this: Gauge | Counter) {
      this.reset();
      for (const [labels, value] of read()) this.inc(labels, value);
    },
  });

/** A metric that is read at each scrape. */
export const gauge = (registry: Registry, name: string, help: string, read: () => number): Gauge | Counter =>
  readings(Gauge, registry, [name, help], [], () => [[{}, read()]]);
