import type { ChartPoint } from './chart-point'

/**
 * The layers of a chart of vGPUs, from the bottom to the top: `fill` in the drawing, whose patterns distinguish neighbors
 * without color, `swatch` the same as a background in the legend.
 */
export const CHART_LAYERS = [
  { name: 'used', word: 'in use', fill: 'var(--accent)', swatch: 'var(--accent)' },
  {
    name: 'spare',
    word: 'reusable',
    fill: 'url(#chart-spare)',
    swatch: 'radial-gradient(circle, var(--accent) 1.1px, var(--accent2) 1.3px) 0 0/5px 5px',
  },
  {
    name: 'orphan',
    word: 'orphaned',
    fill: 'url(#chart-orphan)',
    swatch: 'repeating-linear-gradient(-45deg, var(--warn) 0 2px, var(--warn2) 2px 5px)',
  },
  {
    name: 'stranded',
    word: 'stranded',
    fill: 'url(#chart-stranded)',
    swatch: 'repeating-linear-gradient(0deg, var(--warn2) 0 5px, var(--warn) 5px 6px)',
  },
  { name: 'free', word: 'free', fill: 'var(--panel)', swatch: 'var(--panel)' },
  {
    name: 'unseen',
    word: 'no data',
    fill: 'url(#chart-unseen)',
    swatch: 'repeating-linear-gradient(45deg, var(--edge) 0 1px, var(--line2) 1px 6px)',
  },
] as const satisfies readonly { name: keyof ChartPoint; word: string; fill: string; swatch: string }[]

/** `isHeld`: of a flavor or a project nothing but the use is known. */
export const layersOf = (isHeld: boolean) => CHART_LAYERS.filter(({ name }) => !isHeld || name === 'used')
