import type { Verdict } from './way-labels'

/** Pattern and color of a cell; the pattern alone is sufficient. */
export const WAY_STYLES: Record<Verdict, string> = {
  possible: 'way-possible',
  later: 'way-later',
  blocked: 'way-blocked',
  unknown: 'way-unknown',
}
