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
  /** Description of the response, if the usual one is not enough. */
  readonly returns?: string;
  /** Description of a 304, likewise. */
  readonly unchanged?: string;
  /** Codes of its own errors, by status. */
  readonly problems?: Parameters<typeof ApiProblems>[0];
  /** Bodies of these errors, by status, if they have members of their own. */
  readonly problemTypes?: Parameters<typeof ApiProblems>[1];
}
interface OperationWithBody extends Operation {
  readonly body: ApiBodyOptions;
}

/**
 * Decorators that document the usual operations on one kind of record. The route and its scope stay at the method.
 *
 * @param what name of such a record in sentences
 * @param options.versioned whether the records have versions, and so entity tags and conditional requests
 */
export function recordOperations(what: string, { versioned = true } = {}) {
  const etag = versioned ? { headers: entityTagHeader(what) } : {};
  const located = { headers: { ...etag.headers, Location: { description: `Path of the ${what}.`, schema: { type: 'string' as const } } } };
  const absent = { 404: ['not-found'] };
  const conditional: Operation['problems'] = versioned ? { 412: ['precondition-failed'] } : {};
  const texts = ({ summary, description }: Operation): MethodDecorator => ApiOperation({ summary, description });

  return {
    Creates: (type: Type<object>, { body, returns = `The ${what}.`, problems = {}, problemTypes, ...operation }: OperationWithBody) =>
      applyDecorators(
        texts(operation),
        ApiBody(body),
        ApiCreatedResponse({ type, description: returns, ...located }),
        ApiBodyProblems(problems, problemTypes),
      ),

    Reads: (type: Type<object>, { unchanged = 'You have the current version.', ...operation }: Operation) =>
      applyDecorators(
        texts(operation),
        ApiOkResponse({ type, description: `The ${what}.`, ...etag }),
        ...(versioned ? [ApiNotModifiedResponse({ description: unchanged })] : []),
        ApiProblems(absent),
      ),

    /** Creates the record at its path, or replaces it. */
    Puts: (type: Type<object>, { body, problems, problemTypes, ...operation }: OperationWithBody) =>
      applyDecorators(
        texts(operation),
        ApiBody(body),
        ApiOkResponse({ type, description: `The ${what} after the request.`, ...etag }),
        ApiCreatedResponse({ type, description: `The new ${what}.`, ...located }),
        ApiBodyProblems({ ...problems, ...conditional }, problemTypes),
      ),

    /** A JSON merge patch. */
    Patches: (type: Type<object>, { body, problems, problemTypes, ...operation }: OperationWithBody) =>
      applyDecorators(
        MergePatch(),
        texts(operation),
        ApiBody(body),
        ApiOkResponse({ type, description: `The updated ${what}.`, ...etag }),
        ApiBodyProblems({ ...absent, ...problems, ...conditional }, problemTypes),
      ),

    Deletes: ({ returns = `The ${what} was deleted.`, problems, problemTypes, ...operation }: Operation) =>
      applyDecorators(
        HttpCode(204),
        texts(operation),
        ApiNoContentResponse({ description: returns }),
        ApiProblems({ ...absent, ...problems, ...conditional }, problemTypes),
      ),
  };
}
