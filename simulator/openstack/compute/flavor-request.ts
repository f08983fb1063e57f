import type { ServerFlavor } from '../nova/nova-state'
import type { CandidateGroup, CandidateRequest } from '../placement/candidates/candidate-request'

const emptyGroup = (suffix: string): CandidateGroup => ({
  suffix,
  resources: new Map(),
  required: { anyOf: [], forbidden: [] },
  members: { anyOf: [], forbidden: [] },
  inTree: null,
})

/** nova/scheduler/utils.py _translate_pinning_policies, of servers that are pinned as a whole. */
export const cpuClass = ({ extraSpecs }: Pick<ServerFlavor, 'extraSpecs'>): 'VCPU' | 'PCPU' =>
  extraSpecs['hw:cpu_policy'] === 'dedicated' ? 'PCPU' : 'VCPU'

const SPEC = /^(resources|trait)([a-zA-Z0-9_-]{0,64}):(.+)$/

/** What the scheduler asks Placement for a flavor; `rootUuid` names the one host that is wanted, `barred` aggregates. */
export const requestOfFlavor = (
  flavor: ServerFlavor,
  rootUuid: string | null,
  barred: readonly string[] = [],
): CandidateRequest => {
  const groups = new Map<string, CandidateGroup>()
  const groupOf = (suffix: string): CandidateGroup => {
    const group = groups.get(suffix) ?? {
      ...emptyGroup(suffix),
      inTree: rootUuid,
      members: { anyOf: [], forbidden: [...barred] },
    }
    groups.set(suffix, group)
    return group
  }
  const sizes: [string, number][] = [
    [cpuClass(flavor), flavor.vcpus],
    ['MEMORY_MB', flavor.memoryMib],
    ['DISK_GB', flavor.diskGib],
  ]
  for (const [name, amount] of sizes) groupOf('').resources.set(name, amount)
  for (const [key, value] of Object.entries(flavor.extraSpecs)) {
    const [, kind, suffix = '', name = ''] = SPEC.exec(key) ?? []
    const group = kind === undefined ? null : groupOf(suffix)
    if (kind === 'resources') group?.resources.set(name, Number(value))
    else if (value === 'required') group?.required.anyOf.push([name])
    else if (value === 'forbidden') group?.required.forbidden.push(name)
  }
  for (const group of groups.values())
    for (const [name, amount] of group.resources) if (amount === 0) group.resources.delete(name)
  const policy = flavor.extraSpecs.group_policy
  return {
    groups: [...groups.values()].filter(({ resources }) => resources.size > 0),
    groupPolicy: policy === 'isolate' ? 'isolate' : policy === 'none' ? 'none' : null,
    // nova/scheduler/request_filter.py compute_status_filter
    rootRequired: { anyOf: [], forbidden: ['COMPUTE_STATUS_DISABLED'] },
    sameSubtrees: [],
  }
}
