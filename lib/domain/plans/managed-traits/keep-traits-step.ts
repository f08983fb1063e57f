import * as z from 'zod'
import { listText } from '@/lib/domain/wording'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { http, httpBody, httpPart } from '@/lib/util/encode/http'
import { sh, shellWord } from '@/lib/util/encode/shell'
import type { Step } from '../step'

/** A trait to be kept, and where; which provider carries it is read when the step runs. */
const traitPlacementSchema = z.object({
  address: z.string(),
  providerName: z.string(),
  trait: z.string(),
  typeId: z.string(),
  typeName: z.string(),
})
export type TraitPlacement = z.infer<typeof traitPlacementSchema>

export const keepTraitsTaskSchema = z.object({
  kind: z.literal('keep-traits'),
  host: z.string(),
  pgpuAddress: z.string(),
  /** Of the host's compute node, whose tree holds the providers. */
  rootName: z.string(),
  /** What was kept on the pGPU when the plan was made. */
  before: z.array(traitPlacementSchema).readonly(),
  after: z.array(traitPlacementSchema).readonly(),
})
export type KeepTraitsTask = z.infer<typeof keepTraitsTaskSchema>

const keyOf = ({ address, trait, typeId }: TraitPlacement): string => `${address} ${trait} ${typeId}`

/** Places of the first list that are not in the second. */
export const missingPlacements = <Placement extends TraitPlacement>(
  placements: readonly Placement[],
  others: readonly TraitPlacement[],
): Placement[] => {
  const known = new Set(others.map(keyOf))
  return placements.filter((placement) => !known.has(keyOf(placement)))
}

/** Both lists keep the same. */
export const isSameKeeping = (a: readonly TraitPlacement[], b: readonly TraitPlacement[]): boolean =>
  missingPlacements(a, b).length === 0 && missingPlacements(b, a).length === 0

const traitsIn = (placements: readonly TraitPlacement[]): string =>
  listText([...new Set(placements.map(({ trait }) => trait))].toSorted()) || 'no trait'

const titleOf = ({ host, pgpuAddress, before, after }: KeepTraitsTask): string => {
  const [begun, ended] = [missingPlacements(after, before), missingPlacements(before, after)]
  const where = `on ${host} ${pgpuAddress}`
  if (begun.length === 0) return `Stop managing ${traitsIn(ended)} ${where}`
  return `Manage ${traitsIn(begun)} ${where}${ended.length === 0 ? '' : `, ${traitsIn(ended)} no longer`}`
}

/** The text in place of a command, because no shell command manages traits permanently. */
const byHand = (placements: readonly TraitPlacement[]): Encoded<'shell'> =>
  sh`printf '%s\\n' ${shellWord(
    placements.length === 0
      ? 'The console no longer restores these traits.'
      : 'The console restores these traits automatically. As an alternative, write them to a provider config file of the host.',
  )}`

/** A step that records which traits the console restores on a pGPU, with its service account (decision 015). */
export const keepTraitsStep = (task: KeepTraitsTask): Step<KeepTraitsTask> => {
  const names = [...new Set(task.after.map(({ providerName }) => providerName))]
  const traits = [...new Set(task.after.map(({ trait }) => trait))].toSorted()
  return {
    id: `keep-traits/${task.host}/${task.pgpuAddress}`,
    title: titleOf(task),
    doer: 'console',
    calls:
      names.length === 0
        ? []
        : [
            http`As the console’s service account, each time Nova has recreated ${joinEncoded(names.map(httpPart), ', ')}:`,
            http`GET /resource_providers/<uuid>/traits`,
            http`PUT /resource_providers/<uuid>/traits {"resource_provider_generation": <as read>, "traits": [<as read>, ${joinEncoded(traits.map(httpBody), ', ')}]}`,
          ],
    command: byHand(task.after),
    undoCommand: byHand(task.before),
    sees: `The console manages ${traitsIn(task.before)} there.`,
    precondition:
      'The existing providers have the traits, and the managed traits are unchanged since planning.',
    check: `The managed traits of the pGPU are ${traitsIn(task.after)}.`,
    undo: `The console manages ${traitsIn(task.before)} again.`,
    task,
  }
}
