import { OpenStackError } from '../openstack-error'
import { cleanText, describeTarget, type FailureContext } from './describe-failure'
import { parseRetryAfterSeconds } from './parse-retry-after'
import { readErrorBody } from './read-error-body'
import type { TransportAnswer } from './types'

const REDIRECTS = [301, 302, 303, 307, 308]

/** Throws for what is no answer to the request: redirects and errors that the caller did not ask to see. */
export const checkAnswer = (answer: TransportAnswer, context: FailureContext): void => {
  const { request, cloud } = context
  if (request.acceptStatuses?.includes(answer.status)) return
  if (REDIRECTS.includes(answer.status)) throw toRedirectError(answer, context)
  if (answer.status < 400) return
  const body = readErrorBody(answer.json)
  const detail = body.detail === null ? null : cleanText(body.detail, request)
  const requestId = answer.requestId ?? body.requestId
  const words = detail === null || detail === '' ? '.' : `: ${detail.replace(/\.?$/, '.')}`
  const trace = requestId === null ? '' : ` Request ${requestId}.`
  throw new OpenStackError(
    `${describeTarget(context)} answered with status ${answer.status}${words}${trace}`,
    {
      kind: answer.status === 401 ? 'auth' : 'http',
      service: request.service,
      cloud,
      status: answer.status,
      code: body.code,
      detail,
      requestId,
      retryAfterSeconds: parseRetryAfterSeconds(answer.headers['retry-after']),
    },
  )
}

const toRedirectError = (answer: TransportAnswer, context: FailureContext): OpenStackError => {
  const location = answer.headers.location
  const target =
    location !== undefined && URL.canParse(location, context.request.url)
      ? new URL(location, context.request.url).origin
      : 'an address that it does not name'
  return new OpenStackError(
    `${describeTarget(context)} redirects to ${target}, and redirects are not followed; put the final address into the catalogue or clouds.yaml.`,
    {
      kind: 'refused-endpoint',
      service: context.request.service,
      cloud: context.cloud,
      status: answer.status,
      requestId: answer.requestId,
    },
  )
}
