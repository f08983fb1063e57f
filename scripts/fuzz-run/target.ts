/** A parser of bytes that come from outside, with texts that it takes. */
export type FuzzTarget = {
  name: string
  seeds: () => string[]
  /** Reads a text. What it throws apart from its own refusals is a finding. */
  read: (text: string) => unknown
  isRefusal: (error: unknown) => boolean
}

/** The most that one input has: larger ones take longer than they find. */
export const MAX_CHARACTERS = 65_536
