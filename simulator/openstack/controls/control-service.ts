import { z } from 'zod'
import type { ApiAnswer, ApiRequest } from '../http/api-request'
import type { HttpService } from '../http/serve-http'
import { type Control, ControlError } from './control'

const argsSchema = z.strictObject(
  Object.fromEntries(
    ['host', 'server', 'provider', 'service', 'resource', 'project', 'kind', 'value'].map((name) => [
      name,
      z.string().optional(),
    ]),
  ),
)

const say = (status: number, text: string): ApiAnswer => ({ status, body: { message: text } })

const act = (controls: Record<string, Control>, request: ApiRequest): ApiAnswer => {
  const name = request.path.slice(1)
  const control = Object.hasOwn(controls, name) ? controls[name] : undefined
  if (control === undefined) return { status: 404, body: { controls: Object.keys(controls) } }
  if (request.method !== 'POST') return say(405, 'Send it by POST.')
  const args = argsSchema.safeParse({ ...Object.fromEntries(request.query), ...asRecord(request.body) })
  if (!args.success) return say(400, args.error.issues[0]?.message ?? 'The arguments do not fit.')
  try {
    return say(200, control(args.data))
  } catch (error) {
    if (error instanceof ControlError) return say(409, error.message)
    throw error
  }
}

const asRecord = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? { ...body } : {}

/** The controls by hand: `curl -X POST 'ORIGIN/controls/breakApi?service=nova&kind=down'`; GET lists their names. */
export const controlService = (controls: () => Record<string, Control>): HttpService => ({
  name: 'controls',
  prefix: '/controls',
  malformed: () => say(400, 'The body is no JSON.'),
  answer: (request) => act(controls(), request),
})
