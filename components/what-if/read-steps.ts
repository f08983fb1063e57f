import type { WhatIfStepInput } from '@/lib/schemas/api/what-if-inputs'

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every(isText)
const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0

const readStep = (value: unknown): WhatIfStepInput[] => {
  if (typeof value !== 'object' || value === null) return []
  const { do: what, count, from, to, like, hosts } = value as Record<string, unknown>
  if (what === 'type' && isCount(count) && isText(from) && isText(to)) return [{ do: what, count, from, to }]
  if (what === 'add' && isCount(count) && isText(like)) return [{ do: what, count, like }]
  if (what === 'remove' && isTexts(hosts)) return [{ do: what, hosts }]
  if (what === 'move' && isTexts(hosts) && isText(from) && isText(to)) return [{ do: what, hosts, from, to }]
  return []
}

/** The steps of the page's address, as `writeSteps` leaves them; what is none is left out. */
export const readSteps = (text: string): WhatIfStepInput[] => {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.flatMap(readStep) : []
  } catch (error) {
    // The address was edited manually or truncated.
    if (error instanceof SyntaxError) return []
    throw error
  }
}

/** Null: there are none, and the address needs no parameter. */
export const writeSteps = (steps: readonly WhatIfStepInput[]): string | null =>
  steps.length === 0 ? null : JSON.stringify(steps)
