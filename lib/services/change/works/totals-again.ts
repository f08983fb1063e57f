import { expectedParents } from '@/lib/domain/cloud/expected-providers'
import { mdevProviderName } from '@/lib/domain/cloud/provider-name'
import type { StepTask } from '@/lib/domain/plans/types'
import { waitingForNova } from './blocked'
import { totalOf } from './follow-capacity'
import type { Look, WorkTools } from './step-work'

type Task = Extract<StepTask, { kind: 'close-service' }>

type Total = { name: string; resourceClass: string; expected: number }

/** What nova-compute reports to Placement for the GPUs of a change once the change is reverted. */
const totalsOf = async (tools: WorkTools, { host, verify = [], cards = [] }: Task): Promise<Total[]> => {
  const { joined } = await tools.hostNow(host)
  const rootName = joined?.root.value?.name
  if (joined === null || rootName === undefined) return []
  const addresses = [...verify, ...cards].map(({ address }) => address)
  const parents = addresses.flatMap((address) => expectedParents(joined, address) ?? [])
  return [
    ...parents.flatMap(({ address, resourceClass, made, available, maxInstances }) =>
      // Which parents count under max_instances depends on libvirt's order. Nova before 29 skips a parent without capacity.
      available === null || maxInstances !== null || made + available === 0
        ? []
        : [
            {
              name: mdevProviderName({ hypervisorHostname: rootName, address }),
              resourceClass,
              expected: made + available,
            },
          ],
    ),
    ...cards.flatMap((card) =>
      card.kind === 'verify-whole' && card.provider !== null ? [{ ...card.provider, expected: 0 }] : [],
    ),
  ]
}

/** The first total in Placement that nova-compute has not corrected yet after a rollback; null: all are correct. */
export const whyTotalsWrong = async (tools: WorkTools, task: Task): Promise<Look | null> => {
  for (const { name, resourceClass, expected } of await totalsOf(tools, task)) {
    const total = await totalOf(tools, name, resourceClass)
    if (total !== expected)
      return waitingForNova(
        `Scheduling stays disabled until Placement reports ${resourceClass} ${expected} for ${name}: it still reports ${total}.`,
        task.host,
      )
  }
  return null
}
