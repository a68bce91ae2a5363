import { startTestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { create, NODES, operator, problemOf } from '../access-nodes/access-nodes.js';

export const JSON_TYPE = 'application/json';

export type Bodies = Awaited<ReturnType<typeof startForBodies>>;

/** The service with a node, and a way to send bodies that no client would send. */
export async function startForBodies() {
  const service = await startTestService(coverageService);
  const ano = await operator(service);
  const node = await create(ano);

  /** Sends exact bytes to both of the operations that take a body; superagent would turn them into JSON. */
  const sendBoth = async (bytes: Buffer | string, headers: Record<string, string> = { 'content-type': JSON_TYPE }) => {
    const answers = [];
    for (const request of [ano.post(NODES), ano.patch(`${NODES}${node.node_id}/`)]) {
      answers.push(
        await request
          .set(headers)
          .serialize((body) => body as string)
          .send(bytes as string),
      );
    }
    return answers;
  };
  const refusals = async (...args: Parameters<typeof sendBoth>) => (await sendBoth(...args)).map(problemOf);
  return { service, ano, node, sendBoth, refusals };
}

/** The same outcome for both operations. */
export const both = <T>(outcome: T): [T, T] => [outcome, outcome];
