import type { PartReading } from '@/lib/domain/cloud/types'
import { isIncomplete } from '@/lib/util/is-incomplete'

/** A part that was not requested yet. */
export const neverRead = <Value>(now: Date): PartReading<Value> => ({
  value: null,
  at: null,
  error: 'Not read yet.',
  failingSince: now.toISOString(),
})

export const readNow = <Value>(value: Value, now: Date): PartReading<Value> => ({
  value,
  at: now.toISOString(),
  error: null,
  failingSince: null,
})

/** A value that lacks entries, with the reason and the time since which it lacks them. */
export const incompleteNow = <Value>(
  previous: PartReading<Value>,
  { value, because, now }: { value: Value; because: string; now: Date },
): PartReading<Value> => {
  const at = now.toISOString()
  return { value, at, error: because, failingSince: isIncomplete(previous) ? previous.failingSince : at }
}

/** The last value stays, with the error and the time since when it has been failing. */
export const failed = <Value>(previous: PartReading<Value>, error: string, now: Date): PartReading<Value> => {
  const known = isIncomplete(previous) ? null : previous.failingSince
  const failingSince = known ?? now.toISOString()
  return previous.at === null
    ? { value: null, at: null, error, failingSince }
    : { value: previous.value, at: previous.at, error, failingSince }
}
