import { STATUS_CODES } from 'node:http';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';

/** One invalid part of a request. */
export class InvalidPartResponse {
  @ApiProperty({ type: String, required: false, description: 'JSON pointer (RFC 6901) into the body, as a URI fragment' })
  pointer?: string;

  @ApiProperty({ type: String, required: false, description: 'Name of a path parameter, query parameter or header' })
  parameter?: string;

  @ApiProperty({ type: String, description: 'What is wrong' })
  detail!: string;
}

/** Body of every error response (RFC 9457), for the OpenAPI document. */
export class ProblemResponse {
  @ApiProperty({ type: String, description: 'URI of the problem type' })
  type!: string;

  @ApiProperty({ type: String, description: 'The problem type in words' })
  title!: string;

  @ApiProperty({ type: 'integer', description: 'The HTTP status code' })
  status!: number;

  @ApiProperty({ type: String, description: 'What went wrong in this request, as text for a person to read' })
  detail!: string;

  @ApiProperty({ type: String, description: 'Path of the request' })
  instance!: string;

  @ApiProperty({ type: String, description: 'Stable code for programs to branch on' })
  code!: string;

  @ApiProperty({ type: [InvalidPartResponse], required: false, description: 'Every invalid part of the request' })
  errors?: InvalidPartResponse[];

  @ApiProperty({ type: String, required: false, description: 'How to fix it' })
  hint?: string;

  @ApiProperty({ type: String, description: 'Id of this request in the service log' })
  request_id!: string;
}

/**
 * Documents the error responses of an operation.
 *
 * @param codes problem codes by status
 * @param types body class of a status, if it is not {@link ProblemResponse}
 */
export const ApiProblems = (
  codes: Readonly<Record<number, readonly string[]>>,
  types: Readonly<Record<number, Type<ProblemResponse>>> = {},
): MethodDecorator & ClassDecorator =>
  applyDecorators(
    ApiExtraModels(ProblemResponse, ...Object.values(types)),
    ...Object.entries(codes).map(([status, each]) =>
      ApiResponse({ status: Number(status), ...problemResponse(Number(status), each, types[Number(status)]) }),
    ),
  );

/** Documents the error responses of an operation with a body: the general errors and its own. */
export const ApiBodyProblems = (...[codes, types]: Parameters<typeof ApiProblems>): ReturnType<typeof ApiProblems> =>
  ApiProblems({ 413: ['payload-too-large'], 415: ['unsupported-media-type'], ...codes }, types);

/** An error response in the OpenAPI document; `x-codes` lists its codes for programs. */
export const problemResponse = (status: number, codes: readonly string[], type: Type<ProblemResponse> = ProblemResponse) => ({
  description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
  content: { 'application/problem+json': { schema: { $ref: getSchemaPath(type) } } },
  'x-codes': codes,
});
