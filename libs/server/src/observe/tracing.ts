import { setTimeout as delay } from 'node:timers/promises';
import { isTracingAsked } from '../env/tracing.env.js';

/** How long an unresponsive collector may delay the exit of the process. */
const FLUSH_WITHIN_MS = 3_000;

/**
 * Starts the OpenTelemetry SDK if its standard `OTEL_*` variables enable traces; the SDK reads the exporter, sampler, propagators and
 * resource from them. Otherwise the SDK is not even loaded, and every span does nothing.
 *
 * @param service name in the traces, unless `OTEL_SERVICE_NAME` is set
 * @returns a function that sends the remaining spans
 */
export async function startTracing(service: string): Promise<() => Promise<void>> {
  if (!isTracingAsked()) return () => Promise.resolve();
  const [{ NodeSDK }, { defaultResource, resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/resources'),
  ]);
  const sdk = new NodeSDK({
    // This is only a default: `serviceName` would override the environment.
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': service })),
    // Metrics are scraped, and logs are collected from standard output.
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  return () => Promise.race([sdk.shutdown(), delay(FLUSH_WITHIN_MS)]).catch(() => undefined);
}
