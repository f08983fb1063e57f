import type { Verdict } from './way-labels'

const PATHS: Record<Verdict, string> = {
  possible: 'M3.5 8.5 6.5 11.5 12.5 4.5',
  later: 'M8 4.2V8l2.6 1.8M8 2.4a5.6 5.6 0 1 1 0 11.2A5.6 5.6 0 0 1 8 2.4Z',
  blocked: 'M4.5 4.5 11.5 11.5M11.5 4.5 4.5 11.5',
  unknown: 'M5.6 6.2a2.4 2.4 0 1 1 3.4 2.2c-.7.4-1 .8-1 1.5M8 12.2v.1',
}

const idOf = (verdict: Verdict): string => `way-${verdict}`

/** Shapes that the cells refer to. Present once on the page. */
export const WaySymbols = () => (
  <svg width="0" height="0" className="absolute" aria-hidden="true" focusable="false">
    {(Object.keys(PATHS) as Verdict[]).map((verdict) => (
      <symbol key={verdict} id={idOf(verdict)} viewBox="0 0 16 16">
        <path
          d={PATHS[verdict]}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.7"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </symbol>
    ))}
  </svg>
)

export const WaySymbol = ({ verdict }: { verdict: Verdict }) => (
  <svg width="14" height="14" aria-hidden="true" className="mx-auto block">
    <use href={`#${idOf(verdict)}`} />
  </svg>
)
