import type { ScenarioStepDto } from '@/lib/schemas/api/scenario-inputs'
import type { ScenarioResult } from '@/lib/schemas/api/scenario-result'
import { formatCount, formatNoun } from '@/lib/util/format'

const MAX_NAMES = 3

const names = (hosts: readonly string[]): string =>
  hosts.length <= MAX_NAMES
    ? hosts.join(', ')
    : `${hosts.slice(0, MAX_NAMES).join(', ')} and ${hosts.length - MAX_NAMES} more`

const typeName = (choices: ScenarioResult['choices'], id: string): string =>
  [...choices.types, ...choices.types.flatMap(({ to }) => to)].find(({ typeId }) => typeId === id)?.name ?? id

/** A step as a sentence: `Change 4 cards from T4-4C to T4-8C`. */
export const stepText = (step: ScenarioStepDto, choices: ScenarioResult['choices']): string => {
  switch (step.do) {
    case 'type':
      return `Change ${formatNoun(step.count, 'card')} from ${typeName(choices, step.from)} to ${typeName(choices, step.to)}`
    case 'add':
      return `Add ${formatNoun(step.count, 'host')} like ${step.like}`
    case 'new':
      return `Add ${formatNoun(step.count, 'host')}, ${step.cards} ${step.model} each, as ${step.typeName}`
    case 'remove':
      return `Remove ${names(step.hosts)}`
    case 'move':
      return `Move ${names(step.hosts)} from ${step.from} to ${step.to}`
  }
}

/** More about a step, `8 cards, 64 vCPUs and 512 GiB per host, aggregate gpu`; null: nothing. */
export const stepNote = (step: ScenarioStepDto): string | null => {
  if (step.do !== 'new') return null
  const parts = [
    formatNoun(step.count * step.cards, 'card'),
    `${formatCount(step.vcpus)} vCPUs and ${formatCount(step.memoryGib)} GiB per host`,
    step.aggregate === null ? 'no aggregate' : `aggregate ${step.aggregate}`,
  ]
  return parts.join(', ')
}
