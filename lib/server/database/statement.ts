import 'server-only'
import { createHash } from 'node:crypto'

/** SQL of fixed text that runs many times a second: each connection parses and plans it once. */
export type Statement = { name: string; text: string }

/** The name follows from the text, so that every copy of a module means the same statement. */
export const statement = (text: string): Statement => ({
  name: `sliceboard_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`,
  text,
})
