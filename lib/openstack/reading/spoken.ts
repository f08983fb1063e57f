import type { Spoken } from '@/lib/domain/cloud/types'

/** A part that nobody has asked for yet. */
export const unheard = <Value>(now: Date): Spoken<Value> => ({
  value: null,
  at: null,
  error: 'Not read yet.',
  failingSince: now.toISOString(),
})

export const spokenNow = <Value>(value: Value, now: Date): Spoken<Value> => ({
  value,
  at: now.toISOString(),
  error: null,
  failingSince: null,
})

/** The last value stays, with the error beside it and since when it has been failing. */
export const failed = <Value>(previous: Spoken<Value>, error: string, now: Date): Spoken<Value> => {
  const failingSince = previous.failingSince ?? now.toISOString()
  return previous.at === null
    ? { value: null, at: null, error, failingSince }
    : { value: previous.value, at: previous.at, error, failingSince }
}
