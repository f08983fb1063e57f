import type { Random } from '@/simulator/random/random'
import { PROJECTS, type ProjectName } from '@/simulator/world/projects'
import type { PastCard } from './past-cards'
import type { PastGuest } from './types'

/** A server that is alive in the past. */
export type AliveGuest = { guest: PastGuest; cards: PastCard[]; isToday: boolean }

/** Names as Nova's users give them: the prefix and a number that goes up. */
export const createNames = (): ((prefix: string) => string) => {
  const last = new Map<string, number>()
  return (prefix) => {
    const number = (last.get(prefix) ?? 200) + 1
    last.set(prefix, number > 9999 ? 200 : number)
    return `${prefix}-${number}`
  }
}

/** `A40-4Q` is given by vgpu.a40-4q; whole cards by the flavor that gives them today. */
export const flavorOf = ({ type }: PastCard, wholeFlavor: string | null): string | null =>
  type?.typeId == null ? wholeFlavor : `vgpu.${(type.typeName ?? type.typeId).toLowerCase()}`

/** A server that one of the host's projects created on a card. */
export const newPastGuest = ({
  card,
  projects,
  wholeFlavor,
  nameOf,
  random,
}: {
  card: PastCard
  projects: readonly ProjectName[]
  wholeFlavor: string | null
  nameOf: (prefix: string) => string
  random: Random
}): PastGuest => {
  const project = PROJECTS[random.pick(projects) ?? 'platform']
  return {
    uuid: random.uuid(),
    name: nameOf(random.pick(project.serverPrefixes) ?? project.name),
    flavorName: flavorOf(card, wholeFlavor),
    projectId: project.id,
    projectName: project.name,
    addresses: [card.present.address],
    typeIds: [card.type?.typeId ?? ''],
  }
}
