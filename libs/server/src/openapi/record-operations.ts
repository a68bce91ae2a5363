import { entityTagHeader } from '@fibre/dto';
import { ApiBodyProblems, ApiProblems } from '@fibre/problems';
import { MergePatch } from '@fibre/validation';
import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiBody,
  type ApiBodyOptions,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotModifiedResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';

/** What is specific to an operation. */
interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly body?: ApiBodyOptions;
  /** Description of the response, if the usual one is not enough. */
  readonly returns?: string;
  /** More headers of the response that creates the record, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Description of a 304, likewise. */
  readonly unchanged?: string;
  /** Codes of its own errors, by status. */
  readonly problems?: Problems;
  /** Bodies of these errors, by status, if they have members of their own. */
  readonly problemTypes?: Parameters<typeof ApiProblems>[1];
}
type Problems = Parameters<typeof ApiProblems>[0];

/**
 * Decorators that document the usual operations on one kind of record. The route and its scope stay at the method.
 *
 * @param what name of such a record in sentences
 * @param options.versioned whether the records have versions, and so entity tags and conditional requests
 */
export function recordOperations(what: string, { versioned = true } = {}) {
  const etag = versioned ? { headers: entityTagHeader(what) } : {};
  const located = { headers: { ...etag.headers, Location: { description: `Path of the ${what}.`, schema: { type: 'string' as const } } } };
  const absent: Problems = { 404: ['not-found'] };
  const conditional: Problems = versioned ? { 412: ['precondition-failed'] } : {};

  const documented = (usual: Problems, operation: Operation, ...responses: MethodDecorator[]): MethodDecorator => {
    const { summary, description, body, problems, problemTypes } = operation;
    const failures = { ...usual, ...problems };
    return applyDecorators(
      ApiOperation({ summary, description }),
      ...responses,
      ...(body ? [ApiBody(body), ApiBodyProblems(failures, problemTypes)] : [ApiProblems(failures, problemTypes)]),
    );
  };
  const created = (type: Type<object>, description: string, more: Readonly<Record<string, string>> = {}) => {
    const headers = Object.entries(more).map(([name, text]) => [name, { description: text, schema: { type: 'string' as const } }] as const);
    return ApiCreatedResponse({ type, description, headers: { ...located.headers, ...Object.fromEntries(headers) } });
  };
  const ok = (type: Type<object>, description: string) => ApiOkResponse({ type, description, ...etag });
  const notModified = (description = 'You have the current version.') => (versioned ? [ApiNotModifiedResponse({ description })] : []);

  return {
    Creates: (type: Type<object>, { returns = `The ${what}.`, headers, ...rest }: Operation) =>
      documented({}, rest, created(type, returns, headers)),
    Reads: (type: Type<object>, { unchanged, ...rest }: Operation) =>
      documented(absent, rest, ok(type, `The ${what}.`), ...notModified(unchanged)),
    /** Creates the record at its path, or replaces it. */
    Puts: (type: Type<object>, operation: Operation) =>
      documented(conditional, operation, ok(type, `The ${what} after the request.`), created(type, `The new ${what}.`)),
    /** A JSON merge patch. */
    Patches: (type: Type<object>, operation: Operation) =>
      documented({ ...absent, ...conditional }, operation, MergePatch(), ok(type, `The updated ${what}.`)),
    Deletes: ({ returns = `The ${what} was deleted.`, ...rest }: Operation) =>
      documented({ ...absent, ...conditional }, rest, HttpCode(204), ApiNoContentResponse({ description: returns })),
  };
}
