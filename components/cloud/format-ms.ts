import { formatCount } from '@/lib/util/format'

/** `8 ms`, `1.3 s`, `75 s`. */
export const formatMs = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  return `${formatCount(seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds))} s`
}
