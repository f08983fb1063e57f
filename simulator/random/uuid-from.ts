import { createHash } from 'node:crypto'

/** The same uuid for the same text, so that fixtures have stable ids. */
export const uuidFrom = (text: string): string => {
  const hash = createHash('sha256').update(text).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}
