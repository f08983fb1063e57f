import * as z from 'zod'
import type { JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { mdevProviderName } from '@/lib/domain/cloud/provider-name'
import { http, httpPart } from '@/lib/util/encode/http'
import { sh, shellArguments } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import type { Step } from '../step'

/** What follows when the orphans of a pGPU are removed. */
export const followCapacityTaskSchema = z.object({
  kind: z.literal('follow-capacity'),
  host: z.string(),
  address: z.string(),
  /** mdevs that the change removes. */
  uuids: z.array(z.string()).readonly(),
  /** Name of the compute node in Placement. */
  rootName: z.string(),
})
export type FollowCapacityTask = z.infer<typeof followCapacityTaskSchema>

/** Capacity and Placement's total follow the hardware. */
export const followCapacityStep = (
  joined: JoinedHost,
  { entry, uuids }: { entry: JoinedPgpu; uuids: readonly string[] },
): Step<FollowCapacityTask> => {
  const host = joined.host.name
  const { address, configuredType, numbers } = entry.pgpu
  const rootName = joined.root.value?.name ?? host
  const creatable = numbers.creatable.value
  const more = creatable === null ? 'an unknown number of more vGPUs' : formatNoun(creatable, 'more vGPU')
  const providers = entry.functions.map((one) =>
    mdevProviderName({ hypervisorHostname: rootName, address: one }),
  )
  return {
    id: `follow-capacity/${host}/${address}`,
    title: `Check the capacity of ${host} ${address}`,
    doer: 'console',
    calls: providers
      .slice(0, 4)
      .map((name) => http`GET /resource_providers/<uuid of ${httpPart(name)}>/inventories`),
    command: sh`show_totals ${shellArguments(providers)}`,
    undoCommand: sh`:`,
    sees: `The driver can create ${more} of ${configuredType?.typeId ?? 'no type'} there.`,
    precondition: 'The orphans are gone.',
    check:
      'The host’s report no longer has them, and Placement’s total equals what the driver has and can create.',
    undo: 'None: the step only checks.',
    task: { kind: 'follow-capacity', host, address, uuids, rootName },
  }
}
