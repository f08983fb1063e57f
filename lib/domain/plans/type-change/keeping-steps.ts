import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { type HostDraft, movesAfter } from '../host-steps/preview'
import { traitAfter } from '../host-steps/type-traits-after'
import { isSameKeeping, type KeepTraitsTask, keepTraitsStep } from '../kept-traits/keep-traits-step'
import { keptOnPgpu } from '../kept-traits/plan-keeping'
import type { Step } from '../step'

/**
 * What the console keeps on a pGPU follows its type: the trait of the new type is kept where that of the old one was, those
 * of others stay kept, and what no provider will carry is kept no longer.
 */
export const keepingSteps = (fleet: Fleet, draft: HostDraft): Step<KeepTraitsTask>[] => {
  const { joined, targets, rule } = draft
  const rootName = joined.root.value?.name
  if (rootName === undefined) return []
  return targets.flatMap((target) => {
    const { entry, to } = target
    const before = keptOnPgpu(fleet, { joined, entry })
    const kept = new Set(before.map(({ trait }) => traitAfter(trait, entry, { to, rule }) ?? trait))
    const { typeId, shortName: typeName } = to
    const after = movesAfter(draft, target).flatMap(({ address, name, move }) =>
      [...move.on, ...move.foreign]
        .filter((trait) => kept.has(trait))
        .map((trait) => ({ address, providerName: name, trait, typeId, typeName })),
    )
    if (isSameKeeping(before, after)) return []
    const place = { host: joined.host.name, pgpuAddress: entry.pgpu.address, rootName }
    return [keepTraitsStep({ kind: 'keep-traits', ...place, before, after })]
  })
}
