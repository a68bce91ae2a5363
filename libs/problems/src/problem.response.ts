import { STATUS_CODES } from 'node:http';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';

class InvalidPartResponse {
  @ApiProperty({ type: String, required: false, description: 'JSON pointer (RFC 6901) into the body, as a URI fragment' })
  pointer?: string;

  @ApiProperty({ type: String, required: false, description: 'Name of a path parameter, query parameter or header' })
  parameter?: string;

  @ApiProperty({ type: String, description: 'What is wrong with it' })
  detail!: string;
}

/** Body of every refusal (RFC 9457), for the OpenAPI document. */
export class ProblemResponse {
  @ApiProperty({ type: String, description: 'URI of the kind of problem' })
  type!: string;

  @ApiProperty({ type: String, description: 'The kind of problem in words' })
  title!: string;

  @ApiProperty({ type: 'integer', description: 'The HTTP status code' })
  status!: number;

  @ApiProperty({ type: String, description: 'What happened this time, for humans' })
  detail!: string;

  @ApiProperty({ type: String, description: 'Path of the request' })
  instance!: string;

  @ApiProperty({ type: String, description: 'Stable code to branch on' })
  code!: string;

  @ApiProperty({ type: [InvalidPartResponse], required: false, description: 'Every offender, when the input is invalid' })
  errors?: InvalidPartResponse[];

  @ApiProperty({ type: String, required: false, description: 'What to do about it' })
  hint?: string;

  @ApiProperty({ type: String, description: 'Finds this request in the log of the service' })
  request_id!: string;
}

/**
 * Documents the refusals of an operation.
 *
 * @param codes the codes that can come with a status
 * @param types class of the body of a status where it is more than {@link ProblemResponse}
 */
export const ApiProblems = (
  codes: Readonly<Record<number, readonly string[]>>,
  types: Readonly<Record<number, Type<ProblemResponse>>> = {},
): MethodDecorator & ClassDecorator =>
  applyDecorators(
    ApiExtraModels(ProblemResponse, ...Object.values(types)),
    ...Object.entries(codes).map(([status, each]) =>
      ApiResponse({ status: Number(status), ...problemAnswer(Number(status), each, types[Number(status)]) }),
    ),
  );

/** Documents the refusals of an operation with a body: those of any body, and its own. */
export const ApiBodyProblems = (...[codes, types]: Parameters<typeof ApiProblems>): ReturnType<typeof ApiProblems> =>
  ApiProblems(
    { 400: ['malformed-request'], 413: ['payload-too-large'], 415: ['unsupported-media-type'], 422: ['invalid-request'], ...codes },
    types,
  );

/** The answer that a refusal is; what codes it can have stands in `x-codes` as well, for programs. */
export const problemAnswer = (status: number, codes: readonly string[], type: Type<ProblemResponse> = ProblemResponse) => ({
  description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
  content: { 'application/problem+json': { schema: { $ref: getSchemaPath(type) } } },
  'x-codes': codes,
});
