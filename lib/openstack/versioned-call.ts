import type * as z from 'zod'
import { chooseMicroversion } from './microversion'
import { OpenStackError } from './openstack-error'
import { parseAnswer } from './parse-answer'
import type { OpenStackSession, SessionRequest } from './session/types'
import type { RequestMeter, TransportAnswer } from './transport/types'

type Call = Omit<SessionRequest, 'service' | 'headers' | 'meter'> & {
  /** A lower microversion than the one agreed on, for an answer that costs the service more from the next on. */
  atVersion?: string | undefined
}

/** Requests of one service that all carry the microversion that was agreed on. */
export type VersionedCall = {
  cloud: string
  version: () => Promise<string>
  maxVersion: () => Promise<string>
  send: (call: Call) => Promise<TransportAnswer>
  read: <Schema extends z.ZodType>(schema: Schema, call: Call) => Promise<z.infer<Schema>>
  /**
   * Reads a path in every round: the value is the same object as long as the bytes of the answer are the same. For few paths with
   * large answers, since the last value of each path is kept.
   */
  createRepeatedRead: <Schema extends z.ZodType, Value>(
    schema: Schema,
    toValue: (data: z.infer<Schema>) => Value,
  ) => (path: string) => Promise<Value>
  parse: <Schema extends z.ZodType>(schema: Schema, call: Call, answer: TransportAnswer) => z.infer<Schema>
}

type VersionedCallOptions = {
  account: OpenStackSession
  service: 'placement' | 'nova'
  /** As in the header OpenStack-API-Version. */
  headerName: 'placement' | 'compute'
  best: string
  oldest: string
  /** Highest microversion in the answer to GET on the endpoint itself. */
  readMaxVersion: (json: unknown) => string | null
  meter?: RequestMeter | undefined
}

/** Services are upgraded under a console that runs on. */
const VERSION_AGE_MS = 6 * 60 * 60 * 1000

export const createVersionedCall = (options: VersionedCallOptions): VersionedCall => {
  const { account, service, headerName, meter } = options
  let offered: Promise<string> | null = null
  let offeredAtMs = 0

  const discover = async (): Promise<string> => {
    const answer = await account.request({ service, method: 'GET', path: '/', meter })
    const max = options.readMaxVersion(answer.json)
    if (max !== null) return max
    throw new OpenStackError(
      `The endpoint of ${service} in cloud "${account.cloud}" names no microversion. Check its address in the service catalog.`,
      { kind: 'invalid-answer', service, cloud: account.cloud, requestId: answer.requestId },
    )
  }
  const maxVersion = (): Promise<string> => {
    if (offered !== null && performance.now() - offeredAtMs > VERSION_AGE_MS) offered = null
    if (offered === null) {
      offeredAtMs = performance.now()
      offered = discover().catch((error: unknown) => {
        offered = null
        throw error
      })
    }
    return offered
  }
  const version = async () =>
    chooseMicroversion({ ...options, cloud: account.cloud, offered: await maxVersion() })

  const send = async ({ atVersion, ...call }: Call): Promise<TransportAnswer> => {
    const agreed = await version()
    const headers = { 'openstack-api-version': `${headerName} ${atVersion ?? agreed}` }
    try {
      return await account.request({ ...call, service, headers, meter })
    } catch (error) {
      // The service was replaced by an older one since we asked.
      if (error instanceof OpenStackError && error.status === 406) offered = null
      throw error
    }
  }
  const parse: VersionedCall['parse'] = (schema, call, answer) => {
    const what = `${call.method} ${call.path.replace(/\?.*$/, '')}`
    return parseAnswer({ schema, answer, service, cloud: account.cloud, what })
  }
  const createRepeatedRead = <Schema extends z.ZodType, Value>(
    schema: Schema,
    toValue: (data: z.infer<Schema>) => Value,
  ) => {
    const last = new Map<string, { digest: string; value: Value }>()
    return async (path: string): Promise<Value> => {
      const known = last.get(path)
      const call = { method: 'GET', path, knownDigest: known?.digest ?? '' } as const
      const answer = await send(call)
      const { digest = null } = answer
      if (known !== undefined && digest === known.digest) return known.value
      const value = toValue(parse(schema, call, answer))
      if (digest !== null) last.set(path, { digest, value })
      return value
    }
  }
  return {
    cloud: account.cloud,
    version,
    maxVersion,
    send,
    parse,
    createRepeatedRead,
    read: async (schema, call) => parse(schema, call, await send(call)),
  }
}
