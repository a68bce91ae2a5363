import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Problem } from './problem.js';
import { internalError, malformedRequest } from './problems.js';

/**
 * Turns an error of a lower layer into the problem it means, or leaves it to the next one.
 * The libraries below HTTP (database, router) are known to the server library only, so it brings these.
 */
export type ProblemTranslator = (error: unknown, request: Request) => Problem | undefined;

/** The one place where an error becomes a response. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  constructor(private readonly translators: readonly ProblemTranslator[]) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const problem = this.toProblem(error, request);
    // A 503 passes, and the client comes back; a 500 is a defect. The request log has a line for each of them in any case.
    const isWorthALine = problem.status === 503 ? problem.cause !== undefined && !response.destroyed : problem.status >= 500;
    if (isWorthALine) {
      const line = { err: problem.cause ?? problem, code: problem.code, request_id: requestIdOf(response) };
      this.logger[problem.status === 503 ? 'warn' : 'error'](line, problem.message);
    }
    // The request log adds the code, and the reason that the client isn't told.
    response.locals['problem'] = problem;

    if (response.headersSent) {
      // The status is sent; only a cut connection can still say that the response isn't whole.
      response.destroy();
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
    // Express itself refuses what it cannot decode, and Nest wraps that.
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
