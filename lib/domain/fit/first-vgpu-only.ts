import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { novaHas } from '@/lib/domain/nova-config/nova-releases'
import { oncePer } from '@/lib/util/once-per'
import type { FlavorRequest, ResourceGroup } from './flavor-request'

const mdevClasses = oncePer(
  ({ hosts }: Fleet): ReadonlySet<string> =>
    new Set([
      'VGPU',
      ...hosts.flatMap(({ pgpus }) =>
        pgpus
          .filter(({ pgpu }) => pgpu.framework === 'mdev' || pgpu.framework === 'mdev-sriov')
          .flatMap(({ providers }) =>
            providers.flatMap(({ provider }) => Object.keys(provider.inventories ?? {})),
          ),
      ),
    ]),
)

export type FirstVgpuOnly = {
  /** vGPUs of all groups. */
  requested: number
  /** Of groups after the first. */
  others: readonly ResourceGroup[]
  /** The groups can't all come from one provider, whose vGPUs would all be made. */
  isSure: boolean
}

/** Whether servers of a request get fewer vGPUs than it requests; null: they get all, or none at all. */
export const firstVgpuOnly = (fleet: Fleet, { groups, groupPolicy }: FlavorRequest): FirstVgpuOnly | null => {
  const numbered = groups.filter(
    ({ suffix, resources }) => suffix !== '' && Object.keys(resources).length > 0,
  )
  // Placement refuses the request.
  if (groupPolicy === null && numbered.length > 1) return null
  const classes = mdevClasses(fleet)
  const ofMdevs = ({ resources }: ResourceGroup) =>
    Object.entries(resources).filter(([name]) => classes.has(name))
  const amountOf = (group: ResourceGroup): number =>
    ofMdevs(group).reduce((sum, [, amount]) => sum + amount, 0)
  const wordsOf = (group: ResourceGroup): string =>
    JSON.stringify([ofMdevs(group), group.required, group.forbidden])
  const [first, ...others] = groups.filter((group) => amountOf(group) > 0)
  if (first === undefined || others.length === 0) return null
  return {
    requested: [first, ...others].reduce((sum, group) => sum + amountOf(group), 0),
    others,
    isSure: groupPolicy === 'isolate' || others.some((other) => wordsOf(other) !== wordsOf(first)),
  }
}

/** Whether this cloud's Nova gives a server the vGPUs of all its groups; null: its release is not known. */
export const givesAllVgpus = ({ input }: Fleet): boolean | null =>
  novaHas(input.facts.versions.nova, 'severalVgpuGroups')
