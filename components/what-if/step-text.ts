import type { WhatIf } from '@/lib/schemas/api/what-if'
import type { WhatIfStepInput } from '@/lib/schemas/api/what-if-inputs'
import { formatNoun } from '@/lib/util/format'

const MAX_NAMES = 3

const names = (hosts: readonly string[]): string =>
  hosts.length <= MAX_NAMES
    ? hosts.join(', ')
    : `${hosts.slice(0, MAX_NAMES).join(', ')} and ${hosts.length - MAX_NAMES} more`

const typeName = (choices: WhatIf['choices'], id: string): string =>
  [...choices.types, ...choices.types.flatMap(({ to }) => to)].find(({ typeId }) => typeId === id)?.name ?? id

/** A step as a sentence: `4 cards from T4-4C to T4-8C`. */
export const stepText = (step: WhatIfStepInput, choices: WhatIf['choices']): string => {
  switch (step.do) {
    case 'type':
      return `${formatNoun(step.count, 'card')} from ${typeName(choices, step.from)} to ${typeName(choices, step.to)}`
    case 'add':
      return `Add ${formatNoun(step.count, 'host')} like ${step.like}`
    case 'remove':
      return `Remove ${names(step.hosts)}`
    case 'move':
      return `Move ${names(step.hosts)} from ${step.from} to ${step.to}`
  }
}
