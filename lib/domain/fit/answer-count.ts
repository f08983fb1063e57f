import { formatNoun } from '@/lib/util/format'
import type { JudgedFit } from './judge-fit'

/** Whether so many servers fit at once. `one-by-one`: they fit if requested one after the other. */
export type CountAnswer = { answer: 'yes' | 'one-by-one' | 'no' | 'cannot-tell'; because: string }

export type FitUnit = 'server' | 'vGPU'

const countOf = (count: number, unit: FitUnit): string => formatNoun(count, unit, `${unit}s`)

type CountedFit = Pick<JudgedFit, 'fits' | 'atOnce' | 'unknownHosts' | 'isExact'>

const noOf = (fit: CountedFit, count: number, unit: FitUnit): CountAnswer => {
  if (count > 1 && count <= fit.fits)
    return {
      answer: 'one-by-one',
      because: `${countOf(fit.fits, unit)} fit one after the other, but one request for ${count} gets at most ${fit.atOnce}: Nova tries only the first candidate of each host (bug 1874664)`,
    }
  return {
    answer: 'no',
    because: fit.fits === 0 ? 'no host takes one' : `no more than ${countOf(fit.fits, unit)} fit`,
  }
}

/**
 * Whether `count` servers fit at once. Unknown hosts can only add capacity, so a yes is certain and a no becomes unknown.
 * `gap`: why the facts are too old to count.
 */
export const answerCount = (
  fit: CountedFit,
  count: number,
  gap: string | null,
  unit: FitUnit = 'server',
): CountAnswer => {
  if (gap !== null) return { answer: 'cannot-tell', because: gap }
  if (count <= fit.atOnce) return { answer: 'yes', because: `up to ${countOf(fit.atOnce, unit)} fit at once` }
  if (fit.unknownHosts > 0)
    return {
      answer: 'cannot-tell',
      because: `what is known takes ${fit.atOnce} at once, and ${fit.unknownHosts === 1 ? '1 host is' : `${fit.unknownHosts} hosts are`} not fully known`,
    }
  if (!fit.isExact)
    return {
      answer: 'cannot-tell',
      because: `its groups ask for unlike amounts: ${fit.atOnce} surely fit, more may`,
    }
  return noOf(fit, count, unit)
}
