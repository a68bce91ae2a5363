// Two replicas of a service, replaced one after the other as a Deployment with `maxUnavailable: 0` does.
import assert from 'node:assert/strict';
import { startReplica } from './backends.mjs';

const DELAY_SECONDS = 3;
/** Requests that are sent before the end of a replica is known to all: some of them still go there. */
const UNTIL_KNOWN = 50;

export class Deployment {
  #start;
  #replicas;

  static async create(test, name, settings) {
    const start = () => startReplica(test, name, { ...settings, SHUTDOWN_DELAY_SECONDS: String(DELAY_SECONDS) });
    return new Deployment(name, start, await Promise.all([start(), start()]));
  }

  constructor(name, start, replicas) {
    this.name = name;
    this.#start = start;
    this.#replicas = replicas;
  }

  get endpoints() {
    return this.#replicas.map(({ port }) => port);
  }

  async replaceOldest(setEndpoints, load) {
    this.#replicas.push(await this.#start());
    await setEndpoints(this.name, this.endpoints);
    const oldest = this.#replicas.shift();
    const told = Date.now();
    const ended = oldest.program.stop();
    await load.goOnFor(UNTIL_KNOWN);
    await setEndpoints(this.name, this.endpoints);
    const usedMs = Date.now() - told;
    assert.ok(usedMs < DELAY_SECONDS * 1000, `a replica was in use for ${usedMs} ms after it was told to stop`);
    assert.equal(await ended, 0, oldest.program.lines.join('\n'));
  }

  async stop() {
    await Promise.all(this.#replicas.map(async ({ program }) => assert.equal(await program.stop(), 0, program.lines.join('\n'))));
  }
}
