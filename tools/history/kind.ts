import type { Model } from './linearizable.js';
import type { Answer } from './stack.js';

/** One kind of traffic: random requests about a key, and the model that says which answers are possible. */
export interface Kind<Input, Output> {
  readonly model: Model<unknown, Input, Output>;
  /** Reads everything about the key. */
  readonly lists: readonly Input[];
  /** What the model does first, at another time during the request. */
  firstStep?(input: Input): Input | undefined;
  choose(key: string, seen: readonly Output[]): Input;
  request(key: string, input: Input, url: string, token: string): Promise<Answer>;
  output(input: Input, answer: Answer): Output;
  idsOf(output: Output): readonly string[];
}

export const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!;
