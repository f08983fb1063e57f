import type { ScenarioStepDto } from '@/lib/schemas/api/scenario-inputs'

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every(isText)
const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0

const readNew = (given: Record<string, unknown>, date: string | null): ScenarioStepDto[] => {
  const { count, cards, model, typeName, vcpus, memoryGib, diskGib, aggregate } = given
  return isCount(count) &&
    isCount(cards) &&
    isText(model) &&
    isText(typeName) &&
    isCount(vcpus) &&
    isCount(memoryGib) &&
    isCount(diskGib)
    ? [
        {
          ...{ do: 'new' as const, count, cards, model, typeName, vcpus, memoryGib, diskGib },
          ...{ aggregate: isText(aggregate) ? aggregate : null, date },
        },
      ]
    : []
}

const readStep = (value: unknown): ScenarioStepDto[] => {
  if (typeof value !== 'object' || value === null) return []
  const given = value as Record<string, unknown>
  const { do: what, count, from, to, like, hosts } = given
  const date = isText(given.date) ? given.date : null
  if (what === 'type' && isCount(count) && isText(from) && isText(to))
    return [{ do: what, count, from, to, date }]
  if (what === 'add' && isCount(count) && isText(like)) return [{ do: what, count, like, date }]
  if (what === 'new') return readNew(given, date)
  if (what === 'remove' && isTexts(hosts)) return [{ do: what, hosts, date }]
  if (what === 'move' && isTexts(hosts) && isText(from) && isText(to))
    return [{ do: what, hosts, from, to, date }]
  return []
}

/** The unsaved steps of the page's address; what is no step is left out. */
export const readSteps = (text: string): ScenarioStepDto[] => {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.flatMap(readStep) : []
  } catch (error) {
    // The address was edited manually or truncated.
    if (error instanceof SyntaxError) return []
    throw error
  }
}

/** Steps for the address; null: they are those that are saved. */
export const writeSteps = (
  steps: readonly ScenarioStepDto[],
  saved: readonly ScenarioStepDto[],
): string | null => {
  const text = JSON.stringify(steps.flatMap(readStep))
  return text === JSON.stringify(saved.flatMap(readStep)) ? null : text
}
