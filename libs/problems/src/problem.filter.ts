import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Problem } from './problem.js';
import { internalError, malformedRequest } from './problems.js';
import { resetConnection } from './reset-connection.js';

/** Turns an error from a lower layer (database, router) into a problem, or returns `undefined`. */
export type ProblemTranslator = (error: unknown, request: Request) => Problem | undefined;

/** Turns every error into a response. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  constructor(private readonly translators: readonly ProblemTranslator[]) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const problem = this.toProblem(error, request);
    // A 503 is temporary and the client retries; a 500 is a defect. The request log has a line for both anyway.
    const isWorthALine = problem.status === 503 ? problem.cause !== undefined && !response.destroyed : problem.status >= 500;
    if (isWorthALine) {
      const line = { err: problem.cause ?? problem, code: problem.code, request_id: requestIdOf(response) };
      this.logger[problem.status === 503 ? 'warn' : 'error'](line, problem.message);
    }
    // The request log adds the code and the cause, which the client never sees.
    response.locals['problem'] = problem;

    if (response.headersSent) {
      // The status has already been sent.
      resetConnection(response.socket);
      return;
    }
    sendProblem(request, response, problem);
  }

  private toProblem(error: unknown, request: Request): Problem {
    if (error instanceof Problem) return error;
    for (const translate of this.translators) {
      const problem = translate(error, request);
      if (problem) return problem;
    }
    // Express throws an error if it cannot decode the path; Nest wraps that in an HttpException.
    if (error instanceof HttpException && error.getStatus() === 400) return malformedRequest(error.message, error);
    return internalError(error);
  }
}

function sendProblem(request: Request, response: Response, problem: Problem): void {
  const instance = request.originalUrl.split('?', 1)[0] ?? '/';
  const body = Buffer.from(JSON.stringify(problem.toBody(instance, requestIdOf(response))));
  response.status(problem.status).set(problem.headers);
  response.set({ 'content-type': 'application/problem+json', 'content-length': String(body.length), 'cache-control': 'no-store' });
  response.end(body);
}

const requestIdOf = (response: Response): string | undefined => {
  const id = response.getHeader('x-request-id');
  return typeof id === 'string' ? id : undefined;
};
