/** The standard variables that say where traces are sent (OpenTelemetry specification, "Environment Variable Specification"). */
const DESTINATIONS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_TRACES_EXPORTER'];

/** Whether the environment enables traces: it names a destination, and neither `none` nor `OTEL_SDK_DISABLED` disables it. */
export function isTracingAsked(): boolean {
  if (process.env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || process.env.OTEL_TRACES_EXPORTER === 'none') return false;
  return DESTINATIONS.some((name) => process.env[name]);
}
