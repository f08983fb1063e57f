import { segment, withQuery } from './address'

/** A document; `address` below /help: `sign-in`, `decisions/003-…`, empty for the list of them. */
export const helpPath = ({
  cloud,
  address = '',
  anchor,
}: {
  cloud?: string | null | undefined
  address?: string
  anchor?: string
} = {}): string =>
  `${withQuery(address === '' ? '/help' : `/help/${address}`, { cloud })}${anchor === undefined ? '' : `#${anchor}`}`

/** Answered without a session. */
export const healthPath = (): string => '/api/health'

/** A picture of a document. */
export const helpImagePath = ({ name }: { name: string }): string => `/api/v1/help-images/${segment(name)}`
