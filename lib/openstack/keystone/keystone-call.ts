import type * as z from 'zod'
import { parseAnswer } from '../parse-answer'
import type { HttpMethod, RequestMeter, Transport, TransportAnswer } from '../transport/types'

type Call = {
  method: HttpMethod
  /** Below `/v3`. */
  path: string
  tokenId?: string
  subjectTokenId?: string
  body?: unknown
  secrets?: readonly string[]
  acceptStatuses?: readonly number[]
  meter?: RequestMeter | undefined
}

export type KeystoneCall = {
  cloud: string
  /** Of `auth_url`; ends with `/v3`. */
  baseUrl: string
  send: (call: Call) => Promise<TransportAnswer>
  read: <Schema extends z.ZodType>(schema: Schema, call: Call) => Promise<z.infer<Schema>>
}

type KeystoneCallOptions = {
  transport: Transport
  authUrl: string
  /** For requests with a token; null: `authUrl`. Passwords go to `authUrl` alone (keystoneauth: identity/v3/base.py, token_url). */
  apiUrl?: string | null
  cloud: string
}

/** `auth_url` is written with and without its version. */
export const toBaseUrl = (authUrl: string) => {
  const url = authUrl.replace(/\/+$/, '')
  return url.endsWith('/v3') ? url : `${url}/v3`
}

export const createKeystoneCall = (options: KeystoneCallOptions): KeystoneCall => {
  const { transport, authUrl, cloud } = options
  const baseUrl = toBaseUrl(authUrl)
  const apiUrl = toBaseUrl(options.apiUrl ?? authUrl)
  const send = ({ method, path, tokenId, subjectTokenId, ...rest }: Call) =>
    transport.request({
      ...rest,
      service: 'keystone',
      method,
      url: `${tokenId === undefined ? baseUrl : apiUrl}${path}`,
      headers: {
        ...(tokenId === undefined ? {} : { 'x-auth-token': tokenId }),
        ...(subjectTokenId === undefined ? {} : { 'x-subject-token': subjectTokenId }),
      },
    })
  return {
    cloud,
    baseUrl,
    send,
    read: async (schema, call) => {
      const what = `${call.method} /v3${call.path.replace(/\?.*$/, '')}`
      return parseAnswer({ schema, answer: await send(call), service: 'keystone', cloud, what })
    },
  }
}
