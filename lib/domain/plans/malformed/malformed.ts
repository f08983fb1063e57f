import { GRAMMARS, type GrammarName, isWellFormed } from '@/lib/schemas/agent/grammar'
import { shownValue, visibleText } from '@/lib/util/shown-value'

/** A value that a plan needs and that does not have its form: where it comes from, and the rule that it breaks. */
export type Malformed = {
  value: string
  /** `[compute] cpu_shared_set in nova.conf of cmp-1 (/etc/nova/nova.conf:12)`. */
  origin: string
  /** `must be …`. */
  rule: string
  /** What to correct; begins with a verb. */
  remedy: string
}

/** The reason of a refusal, without its period. */
export const malformedReason = ({ value, origin, rule, remedy }: Malformed): string =>
  `${visibleText(origin)} is ${shownValue(value)}, but it ${rule}: ${visibleText(remedy)}, then plan again`

type Where = Pick<Malformed, 'origin' | 'remedy'>

/** Checks a value against its grammar; null: it is valid, or there is none. */
export const malformed = (name: GrammarName, value: string | null, where: Where): Malformed | null =>
  value === null || isWellFormed(name, value) ? null : { value, rule: GRAMMARS[name].rule, ...where }

/** The first malformed one of several values; later ones are not computed. */
export const firstMalformed = (checks: readonly (() => Malformed | null)[]): Malformed | null => {
  for (const check of checks) {
    const found = check()
    if (found !== null) return found
  }
  return null
}
