import type { OpenAPIObject } from '@nestjs/swagger';
import type { Response } from 'supertest';

interface Invalid {
  readonly parameter?: string;
  readonly detail: string;
}

/** Texts of a time with more than six decimals, and whether the time is exact without the rest. */
const TIMES: readonly (readonly [decimals: string, isExact: boolean])[] = [
  ['1234560', true],
  ['123456000', true],
  ['000000000', true],
  ['1234567', false],
  ['123456001', false],
  ['000000000001', false],
];

/**
 * Sends times with seven and more decimals, as C#, Java and Go write them, to every query parameter of a document that is a time.
 *
 * @returns how many parameters there are, and each parameter and time that was not judged as it should be
 */
export async function faultsOfPreciseTimes(
  { paths }: OpenAPIObject,
  get: (path: string, query: Record<string, string>) => Promise<Response>,
): Promise<{ times: number; faults: unknown[] }> {
  const faults: unknown[] = [];
  let times = 0;
  for (const [path, { get: operation }] of Object.entries(paths)) {
    for (const parameter of (operation?.parameters ?? []) as {
      name: string;
      in: string;
      schema?: { format?: string; pattern?: string };
    }[]) {
      const { format, pattern } = parameter.schema ?? {};
      if (parameter.in !== 'query' || (format !== 'date-time' && !pattern?.includes('T([01]'))) continue;
      times++;
      for (const [decimals, isExact] of TIMES) {
        const sent = `2026-02-01T16:00:00.${decimals}Z`;
        const response = await get(path.replaceAll(/\{\w+\}/g, '0192d3a5-7c10-7e8b-a2c6-3f9d5b7a1e99'), { [parameter.name]: sent });
        const { detail } = ((response.body as { errors?: Invalid[] }).errors ?? []).find((one) => one.parameter === parameter.name) ?? {};
        const isRight = isExact
          ? !detail?.includes('decimals')
          : detail?.startsWith(`has ${decimals.length} decimals`) && /truncate to microseconds/.test(detail);
        const fitsPattern = pattern === undefined ? isExact : new RegExp(pattern).test(sent);
        if (!isRight || fitsPattern !== isExact) faults.push([path, parameter.name, sent, response.status, detail]);
      }
    }
  }
  return { times, faults };
}
