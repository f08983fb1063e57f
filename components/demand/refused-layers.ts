import { REASON_LABELS, type Reason } from './refused-labels'

type Layer = { name: Reason; word: string; fill: string; swatch: string }

/** What a chart of refused servers stacks, from the bottom to the top: its fill in the drawing, and the same as a background. */
export const REFUSED_LAYERS: readonly Layer[] = [
  {
    name: 'no-valid-host',
    word: REASON_LABELS['no-valid-host'],
    fill: 'var(--bad)',
    swatch: 'var(--bad)',
  },
  {
    name: 'over-limit',
    word: REASON_LABELS['over-limit'],
    fill: 'url(#chart-over-limit)',
    swatch: 'repeating-linear-gradient(-45deg, var(--bad) 0 2px, var(--bad2) 2px 5px)',
  },
  {
    name: 'build-failed',
    word: REASON_LABELS['build-failed'],
    fill: 'url(#chart-build-failed)',
    swatch: 'radial-gradient(circle, var(--bad) 1.1px, var(--bad2) 1.3px) 0 0/5px 5px',
  },
]
