import { setTimeout as delay } from 'node:timers/promises';
import { isTracingAsked } from '../env/tracing.env.js';

/** How long a collector that does not answer may hold up the end of the process. */
const FLUSH_WITHIN_MS = 3_000;

/** Traces that are being exported. */
export interface Tracing {
  /** Sends what is still held back. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the OpenTelemetry SDK when its standard `OTEL_*` variables ask for traces; it reads exporter, sampler, propagators and
 * resource from them. Without them the SDK is not even loaded, and every span is a no-op.
 *
 * @param service name in the traces unless `OTEL_SERVICE_NAME` gives another
 */
export async function startTracing(service: string): Promise<Tracing> {
  if (!isTracingAsked()) return { stop: () => Promise.resolve() };
  const [{ NodeSDK }, { defaultResource, resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/resources'),
  ]);
  const sdk = new NodeSDK({
    // Beneath what the environment says, which `serviceName` would overrule.
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': service })),
    // Metrics are scraped and logs are collected from the standard output.
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  return { stop: () => Promise.race([sdk.shutdown(), delay(FLUSH_WITHIN_MS)]).catch(() => undefined) };
}
