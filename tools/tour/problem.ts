import { type Answer } from './api.js';
import { check } from './check.js';
import { say } from './show.js';

/** An RFC 9457 problem, as far as people read it. */
export interface Problem {
  code: string;
  title: string;
  status: number;
  detail?: string;
  hint?: string;
  errors?: { parameter?: string; pointer?: string; detail: string }[];
}

/** Checks that the answer is this problem and shows what it tells a person. */
export function expectProblem(answer: Answer, status: number): Problem {
  check(`status of ${answer.method} ${answer.url}`, answer.status, status);
  check('its content type', answer.headers.get('content-type')?.split(';')[0], 'application/problem+json');
  const problem = answer.body as Problem;
  check('the status in the problem', problem.status, status);
  const { title, code, detail, errors = [] } = problem;
  say(`"${title}" (${code})${detail && errors.length === 0 ? `: ${detail}` : ''}`);
  for (const { parameter, pointer, detail } of errors) say(`  ${parameter ?? pointer}: ${detail}`);
  if (problem.hint) say(`  hint: ${problem.hint}`);
  return problem;
}
