import type { LivingHost } from '@/simulator/host/living-host'

/** The uuids of the vGPUs of hosts, made or only defined. */
export const uuidsOf = (hosts: readonly LivingHost[]): Set<string> =>
  new Set(
    hosts.flatMap((living) => {
      const { gpus, mdevDefinitions } = living.spec()
      const active = gpus.flatMap(({ slicing }) => slicing?.state.vgpus ?? [])
      return [...active, ...mdevDefinitions].map(({ uuid }) => uuid)
    }),
  )

/**
 * The vGPUs of hosts, with their definitions' starts. `first`: those that came since, whose uuids differ from run to run, go
 * by their place. VFs of vendor VFIO always do.
 */
export const mdevsOf = (
  hosts: readonly LivingHost[],
  first: ReadonlySet<string> | null = null,
): Record<string, string> => {
  const nameOf = (uuid: string, at: string): string =>
    first === null || first.has(uuid) ? uuid : `one on ${at}`
  return Object.fromEntries(
    hosts
      .flatMap((living) => {
        const { gpus, mdevDefinitions } = living.spec()
        const active = gpus.flatMap(({ slicing }) =>
          (slicing?.state.vgpus ?? []).map(({ uuid, typeId, slot }) => {
            const name = slicing?.interface === 'mdev' ? nameOf(uuid, slot) : `${living.name} ${slot}`
            return [`${name} active`, `${typeId} on ${slot}`] as const
          }),
        )
        return [
          ...active,
          ...mdevDefinitions.map(
            ({ uuid, typeId, parent, start }) =>
              [`${nameOf(uuid, parent)} defined`, `${typeId} on ${parent} ${start}`] as const,
          ),
        ]
      })
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}
