import type * as z from 'zod'
import { OpenStackError, type OpenStackServiceName, SERVICE_TITLES } from './openstack-error'
import type { TransportAnswer } from './transport/types'

type ParseAnswerInput<Schema extends z.ZodType> = {
  schema: Schema
  answer: TransportAnswer
  service: OpenStackServiceName
  cloud: string
  /** The call in words: `GET /resource_providers`. */
  what: string
}

/** The answer's body by its schema; another shape is an `invalid-answer` that names the place, not the value. */
export const parseAnswer = <Schema extends z.ZodType>(input: ParseAnswerInput<Schema>): z.infer<Schema> => {
  const parsed = input.schema.safeParse(input.answer.json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue === undefined || issue.path.length === 0 ? 'its top' : issue.path.map(String).join('.')
  throw new OpenStackError(
    `${SERVICE_TITLES[input.service]} of cloud "${input.cloud}" answered ${input.what} in a shape that it does not document, at ${path}; check that the address is the service's own.`,
    {
      kind: 'invalid-answer',
      service: input.service,
      cloud: input.cloud,
      status: input.answer.status,
      requestId: input.answer.requestId,
    },
  )
}
