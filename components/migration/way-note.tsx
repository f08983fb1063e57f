import type { MigrationPairDto } from '@/lib/schemas/api/migration'
import type { MatrixLine } from './matrix-lines'
import { lineName, VERDICT_WORDS, waySentences } from './way-words'

/** A migration in a few lines: verdict, blockers, and warnings. */
export const WayNote = ({ way, from, to }: { way: MigrationPairDto; from: MatrixLine; to: MatrixLine }) => {
  const { blockers, cautions } = waySentences(way, { from, to })
  return (
    <>
      <p className="font-[550]">
        {VERDICT_WORDS[way.verdict]}
        <span className="ml-1.5 font-[450] text-ink3">
          {lineName(from)} → {lineName(to)}
        </span>
      </p>
      {blockers.map((text) => (
        <p key={text} className="break-words text-ink2">
          {text}
        </p>
      ))}
      {cautions.map((text) => (
        <p key={text} className="break-words text-ink3">
          Advised against: {text}
        </p>
      ))}
    </>
  )
}
