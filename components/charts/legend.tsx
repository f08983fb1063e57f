import { classNames } from '@/lib/util/class-names'

const COLOURS = {
  ink: 'border-ink',
  ink2: 'border-ink2',
  accent: 'border-accent',
  'accent-ink': 'border-accent-ink',
  warn: 'border-warn',
} as const
const DASHES = { solid: '', dashed: 'border-dashed', dotted: 'border-dotted' } as const

/**
 * What an area or a line of a chart is: on the page and on saved pictures. `fill` is that of the drawing, `swatch` the same as a
 * background.
 */
export type LegendKey =
  | { word: string; fill: string; swatch: string }
  | { word: string; colour: keyof typeof COLOURS; dash?: keyof typeof DASHES; isUpright?: boolean }

const Key = (key: LegendKey) => (
  <li className="flex items-center gap-1.5">
    {'fill' in key ? (
      <span
        aria-hidden
        className="size-3 rounded-[3px] border border-edge"
        style={{ background: key.swatch }}
      />
    ) : (
      <span
        aria-hidden
        className={classNames(
          'h-0 w-4 border-t-2',
          COLOURS[key.colour],
          DASHES[key.dash ?? 'solid'],
          key.isUpright && 'rotate-90',
        )}
      />
    )}
    {key.word}
  </li>
)

/** What the areas and lines of a chart are. */
export const Legend = ({ label = 'Legend', keys }: { label?: string; keys: readonly LegendKey[] }) => (
  <ul aria-label={label} className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-ink2 text-small">
    {keys.map((key) => (
      <Key key={key.word} {...key} />
    ))}
  </ul>
)
