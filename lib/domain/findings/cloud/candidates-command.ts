import type { FlavorRequest } from '@/lib/domain/fit/flavor-request'
import { joinEncoded } from '@/lib/util/encode/encoded'
import { sh, shellOption } from '@/lib/util/encode/shell'
import type { FindingCommand } from '../finding'

/** The query that Nova sends to Placement for a flavor, by osc-placement. 1.36 is what Nova uses, and osc-placement has no 1.36. */
export const candidatesCommand = ({ groups, groupPolicy }: FlavorRequest): FindingCommand => {
  const options = groups.flatMap(({ suffix, resources, required, forbidden }) => [
    ...(suffix === '' ? [] : [shellOption(sh`--group`, suffix)]),
    ...Object.entries(resources).map(([name, amount]) => shellOption(sh`--resource`, `${name}=${amount}`)),
    ...required.map((trait) => shellOption(sh`--required`, trait)),
    ...forbidden.map((trait) => shellOption(sh`--forbidden`, trait)),
  ])
  const policy = groupPolicy === null ? [] : [shellOption(sh`--group-policy`, groupPolicy)]
  return sh`openstack --os-placement-api-version 1.37 allocation candidate list ${joinEncoded([...options, ...policy], ' ')}`
}
