import type { LivingHost } from '@/simulator/host/living-host'

/** `type on parent` by uuid of every mdev, active or defined, with its definition's start. */
export const mdevsOf = (hosts: readonly LivingHost[]): Record<string, string> =>
  Object.fromEntries(
    hosts
      .flatMap((living) => {
        const { gpus, mdevDefinitions } = living.spec()
        const active = gpus.flatMap(({ slicing }) => slicing?.state.vgpus ?? [])
        return [
          ...active.map(({ uuid, typeId, slot }) => [`${uuid} active`, `${typeId} on ${slot}`] as const),
          ...mdevDefinitions.map(
            ({ uuid, typeId, parent, start }) =>
              [`${uuid} defined`, `${typeId} on ${parent} ${start}`] as const,
          ),
        ]
      })
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
