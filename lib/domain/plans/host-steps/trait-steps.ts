import { listText } from '@/lib/domain/wording'
import type { Encoded } from '@/lib/util/encode/encoded'
import { http, httpPart } from '@/lib/util/encode/http'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { type HostDraft, type MovedProvider, movesAfter, movesOf } from './preview'
import type { HostStep } from './tasks'

const words = (items: readonly string[]): Encoded<'shell'> => shellWord(items.join(' '))

type Direction = 'off' | 'on'

const titleOf = ({
  direction,
  traits: { off, on, foreign },
  location,
}: {
  direction: Direction
  traits: { off: readonly string[]; on: readonly string[]; foreign: readonly string[] }
  location: string
}): string => {
  if (direction === 'on') return `Add ${listText([...on, ...foreign])} to ${location}`
  return off.length === 0
    ? `Record ${listText(foreign)} of ${location}`
    : `Remove ${listText(off)} from ${location}`
}

const moveStep = (host: string, direction: Direction, moved: MovedProvider): HostStep => {
  const { name, address, move } = moved
  const isOff = direction === 'off'
  const traits = isOff ? move.off : move.on
  const back = isOff ? [...move.off, ...move.foreign] : []
  const keep = isOff ? [] : [...move.on, ...move.foreign]
  const seen = [...move.off, ...move.foreign]
  return {
    id: `move-traits/${direction}/${name}`,
    title: titleOf({ direction, traits: move, location: `${host} ${address}` }),
    doer: 'console',
    calls: [
      http`GET /resource_providers?name=${httpPart(name)}`,
      http`GET /resource_providers/<uuid>/traits`,
      http`PUT /resource_providers/<uuid>/traits`,
    ],
    command: sh`named_traits ${shellWord(name)} ${words(isOff ? move.off : [])} ${words(keep)}`,
    undoCommand: sh`named_traits ${shellWord(name)} ${words(isOff ? [] : move.on)} ${words(back)}`,
    sees: moved.isNew
      ? `Placement has no provider ${name}. The other providers of the card have the same traits.`
      : `${name} has ${listText(seen, 8) || 'no custom traits'}.`,
    precondition: isOff
      ? 'The provider has the same traits of types as at planning.'
      : 'Nova has written the new type to a provider of this name, regardless of its UUID.',
    check: isOff
      ? `No provider ${name} has ${listText(traits) || 'a trait of the old type'}.`
      : `The provider ${name} has ${listText(keep, 8)}.`,
    undo: isOff
      ? 'Restores these traits, and traits of others, once Nova reports the old type in Placement again.'
      : 'Removes the trait of the new type. Traits of others are kept.',
    task: {
      kind: 'move-traits',
      host,
      provider: { address, name },
      direction,
      traits,
      foreign: move.foreign,
    },
  }
}

const isAny = ({ move }: MovedProvider): boolean => move.off.length + move.foreign.length > 0

/** Traits follow the type: old ones are removed before, new ones and those of the operator are set after. */
export const traitSteps = (draft: HostDraft): { off: HostStep[]; on: HostStep[]; traits: string[] } => {
  const host = draft.joined.host.name
  const off = movesOf(draft).filter(isAny)
  const on = draft.targets.flatMap((target) => movesAfter(draft, target)).filter(isAny)
  return {
    off: off.map((moved) => moveStep(host, 'off', moved)),
    on: on.map((moved) => moveStep(host, 'on', moved)),
    traits: [...new Set(on.flatMap(({ move }) => move.on))].toSorted(),
  }
}
