'use client'

import { useQueryStates } from 'nuqs'
import { TimedText } from '@/components/shell/timed-text'
import { Input } from '@/components/ui/input'
import { answerCount, type CountAnswer, type FitUnit } from '@/lib/domain/fit/answer-count'
import type { FitReportDto } from '@/lib/schemas/api/fit'
import { classNames } from '@/lib/util/class-names'
import { fitSearchParams } from './fit-search-params'

const MAX_COUNT = 10_000

const WORDS: Record<CountAnswer['answer'], { word: string; tone: string }> = {
  yes: { word: 'Yes', tone: 'text-accent-ink' },
  'one-by-one': { word: 'Not in one request', tone: 'text-warn' },
  no: { word: 'No', tone: 'text-bad' },
  'cannot-tell': { word: 'Unknown', tone: 'text-ink2' },
}

const Answer = ({ fit, count, unit }: { fit: FitReportDto; count: number; unit: FitUnit }) => {
  const { answer, because } = answerCount(fit, count, fit.gap, unit)
  const { word, tone } = WORDS[answer]
  return (
    <>
      <strong className={classNames('font-semibold', tone)}>{word}</strong>:{' '}
      {fit.gap === null ? <TimedText text={because} /> : 'the data is outdated'}.
    </>
  )
}

/** "Check whether 4 fit in one request." The search params contain the number. */
export const CountQuestion = ({ fit, unit }: { fit: FitReportDto; unit: FitUnit }) => {
  const [{ count }, setParams] = useQueryStates(fitSearchParams)
  const requested = count !== null && count >= 1 && count <= MAX_COUNT ? count : null
  const ask = (text: string) => {
    const number = Number.parseInt(text, 10)
    void setParams({ count: Number.isInteger(number) ? Math.min(MAX_COUNT, Math.max(1, number)) : null })
  }
  return (
    <section
      aria-label="Multi-create check"
      className="mb-3 flex flex-wrap items-center gap-x-2.5 gap-y-1.5 rounded-panel border border-line bg-panel px-3.5 py-2.5"
    >
      <label htmlFor="fit-count">Check whether</label>
      <div className="w-20">
        <Input
          id="fit-count"
          type="number"
          inputMode="numeric"
          min={1}
          max={MAX_COUNT}
          aria-describedby="fit-count-note"
          value={requested ?? ''}
          onChange={(event) => ask(event.target.value)}
        />
      </div>
      <span id="fit-count-note">{unit}s fit in one request</span>
      <p role="status" className="min-w-0 basis-full sm:flex-1 sm:basis-64">
        {requested === null ? null : <Answer fit={fit} count={requested} unit={unit} />}
      </p>
    </section>
  )
}
