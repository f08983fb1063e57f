export type RateLimit<Key = number> = {
  /** Takes one, or so many; 0 when it was there, else the seconds after which it is worth asking again. */
  take: (key: Key, amount?: number) => number
}

type Bucket = { tokens: number; at: number }

/** A bucket of `burst` tokens per key that fills by `perSecond`. `nowMs` must not jump: performance.now. */
export const createRateLimit = <Key = number>({
  burst,
  perSecond,
  nowMs = () => performance.now(),
  maxKeys = 100_000,
}: {
  burst: number
  perSecond: number
  nowMs?: () => number
  maxKeys?: number
}): RateLimit<Key> => {
  const buckets = new Map<Key, Bucket>()
  return {
    take: (key, amount = 1) => {
      const at = nowMs()
      // A forgotten bucket is a full one: too generous for a moment, never too strict.
      if (buckets.size >= maxKeys) buckets.clear()
      const bucket = buckets.get(key) ?? { tokens: burst, at }
      const tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * perSecond)
      const isThere = tokens >= amount
      bucket.tokens = isThere ? tokens - amount : tokens
      bucket.at = at
      buckets.set(key, bucket)
      return isThere ? 0 : Math.max(1, Math.ceil((amount - tokens) / perSecond))
    },
  }
}
