import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { sqlState } from '../connection/database-errors.js';
import type { Statement } from './statement.js';

const tracer = trace.getTracer('@fibre/database');

/**
 * Runs a statement; if there is a trace, within a span named after the statement. Values are never recorded. Attributes follow the
 * semantic conventions for databases.
 */
export function inSpan<T>({ name }: Pick<Statement, 'name'>, work: () => Promise<T>): Promise<T> {
  if (!trace.getActiveSpan()?.isRecording()) return work();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
  return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

function fail(span: Span, error: unknown): void {
  const state = sqlState(error);
  if (state !== undefined) span.setAttribute('db.response.status_code', state);
  span.setAttribute('error.type', state ?? (error instanceof Error ? error.name : 'unknown')).setStatus({ code: SpanStatusCode.ERROR });
}
