import type { PartReading } from '@/lib/domain/cloud/types'

/** What a service of OpenStack reported at a moment of the past (ms). */
export const reportedAt = <Value>(value: Value, at: number): PartReading<Value> => ({
  value,
  at: new Date(at).toISOString(),
  error: null,
  failingSince: null,
})
