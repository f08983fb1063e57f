import 'server-only'

/** Set by the server in front (prepareRequest); what a client sends under these names is thrown away. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address'
export const PAGE_PATH_HEADER = 'x-page-path'

/** Sent by pages on questions that no person caused: they do not keep a session awake. */
const BACKGROUND_HEADER = 'x-background'

const LONGEST_AGENT = 300

/** The data of a request that identifies its sender. */
export type RequestFacts = {
  cookie: string | null
  authorization: string | null
  isBackground: boolean
  address: string
  agent: string | null
}

export const requestFacts = (header: (name: string) => string | null | undefined): RequestFacts => ({
  cookie: header('cookie') ?? null,
  authorization: header('authorization') ?? null,
  isBackground: header(BACKGROUND_HEADER) === '1',
  address: header(CLIENT_ADDRESS_HEADER) ?? 'unknown',
  agent: header('user-agent')?.slice(0, LONGEST_AGENT) ?? null,
})
