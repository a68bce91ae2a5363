import type { OpenAPIObject } from '@nestjs/swagger';

type Parameter = { name: string; in: string };
type Operation = {
  parameters?: object[];
  requestBody?: { description?: string };
  responses?: Record<string, { headers?: Record<string, unknown> }>;
};

/** The headers of a document: those that a page may have to send, which a preflight must allow, and those that it may have to read. */
export function pageHeaders(document: OpenAPIObject): { sent: string[]; read: string[] } {
  const resolve = (part: object): unknown =>
    '$ref' in part
      ? String(part.$ref)
          .slice('#/'.length)
          .split('/')
          .reduce((parent: unknown, name) => (parent as Record<string, unknown>)[name], document)
      : part;
  // A trace of the page (W3C Trace Context), and the id of a request, are honoured by every operation without being its parameters.
  const sent = new Set(['traceparent', 'tracestate', 'x-request-id']);
  const read = new Set<string>();
  if (Object.keys(document.components?.securitySchemes ?? {}).length > 0) sent.add('authorization');
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path as Record<string, Operation>)) {
      const parameters = (operation.parameters ?? []).map((one) => resolve(one) as Parameter);
      for (const parameter of parameters) if (parameter.in === 'header') sent.add(parameter.name.toLowerCase());
      if (operation.requestBody) sent.add('content-type');
      if (/content-encoding/i.test(JSON.stringify(operation))) sent.add('content-encoding');
      for (const response of Object.values(operation.responses ?? {})) {
        const { headers = {} } = resolve(response) as { headers?: object };
        for (const name of Object.keys(headers)) read.add(name.toLowerCase());
      }
    }
  }
  return { sent: [...sent].sort(), read: [...read].sort() };
}
