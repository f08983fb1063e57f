import { MAX_SCENARIO_GPUS } from '@/lib/schemas/api/change-limits'
import type { ScenarioStepDto } from '@/lib/schemas/api/scenario-inputs'

export type StepKind = ScenarioStepDto['do']

/** The form of a step while it is filled in. */
export type StepDraft = {
  kind: StepKind
  /** Empty: at once. */
  date: string
  count: number
  from: string
  to: string
  like: string
  hosts: string[]
  cards: number
  model: string
  typeName: string
  vcpus: number
  memoryGib: number
  diskGib: number
  aggregate: string
}

export const STEP_KINDS: Readonly<Record<StepKind, string>> = {
  new: 'Add hosts with new cards',
  add: 'Add hosts like an existing one',
  type: 'Change vGPU type of cards',
  remove: 'Remove hosts',
  move: 'Move hosts to another aggregate',
}

export const emptyDraft = (kind: StepKind): StepDraft => ({
  ...{ kind, date: '', count: 1, from: '', to: '', like: '', hosts: [] },
  ...{ cards: 2, model: '', typeName: '', vcpus: 64, memoryGib: 512, diskGib: 1000, aggregate: '' },
})

/** Whether a number of the form is a whole number of 1 to `max`. */
export const isWithin = (value: number, max: number = MAX_SCENARIO_GPUS): boolean =>
  Number.isInteger(value) && value >= 1 && value <= max

export const MAX_CARDS = 16
export const MAX_VCPUS = 4096
/** GiB of memory and of disk. */
export const MAX_GIB = 65_536

/** The step of a complete form; null: something is missing. */
export const stepOfDraft = (draft: StepDraft): ScenarioStepDto | null => {
  const { kind, count, from, to, like, hosts } = draft
  const date = draft.date === '' ? null : draft.date
  switch (kind) {
    case 'type':
      return isWithin(count) && from !== '' && to !== '' ? { do: kind, count, from, to, date } : null
    case 'add':
      return isWithin(count) && like !== '' ? { do: kind, count, like, date } : null
    case 'new': {
      const { cards, model, typeName, vcpus, memoryGib, diskGib } = draft
      const isComplete =
        isWithin(count) &&
        isWithin(cards, MAX_CARDS) &&
        isWithin(vcpus, MAX_VCPUS) &&
        isWithin(memoryGib, MAX_GIB) &&
        isWithin(diskGib, MAX_GIB) &&
        model !== '' &&
        typeName !== ''
      const aggregate = draft.aggregate === '' ? null : draft.aggregate
      return isComplete
        ? { do: kind, count, cards, model, typeName, vcpus, memoryGib, diskGib, aggregate, date }
        : null
    }
    case 'remove':
      return hosts.length > 0 ? { do: kind, hosts, date } : null
    case 'move':
      return hosts.length > 0 && from !== '' && to !== '' && from !== to
        ? { do: kind, hosts, from, to, date }
        : null
  }
}
