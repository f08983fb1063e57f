import 'server-only'
import { type ExpectedParent, expectedParents } from '@/lib/domain/cloud/expected-providers'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { mdevProviderName } from '@/lib/domain/cloud/provider-name'
import type { FollowCapacityTask } from '@/lib/domain/plans/orphans/follow-capacity-step'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import { leftOver } from './await-offer'
import { blocked, GOES_ON, unreadable, waitingForNova } from './blocked'
import { providerByName } from './provider-by-name'
import type { CheckResult, ConsoleHandler, StepTools } from './step-work'

/** Placement's total of a class on a provider; 0 when there is no provider. */
const totalOf = async (tools: StepTools, name: string, resourceClass: string): Promise<number> => {
  const provider = await providerByName(tools, name)
  if (provider === null) return 0
  const { inventories } = await tools.placement.getInventories(provider.uuid)
  return inventories[resourceClass]?.total ?? 0
}

/**
 * Why a parent without free capacity keeps its total in Placement: Nova before 29 skips such a parent, so the old
 * total remains until capacity is free again. Null: nothing keeps it.
 */
const whyUnchanged = (
  joined: JoinedHost,
  { address, parent, total }: { address: string; parent: ExpectedParent; total: number },
): CheckResult | null => {
  if (parent.made !== 0 || parent.available !== 0) return null
  const left = leftOver(joined, { addresses: [address], typeId: parent.typeId })
  if (left.names.length === 0) return null
  const guests = (joined.host.inventory.guests ?? []).filter(({ mdevs }) =>
    mdevs.some(({ uuid }) => left.names.some((name) => name.startsWith(uuid))),
  )
  const held =
    guests.length === 0
      ? ''
      : ` ${listText(
          guests.map(({ name }) => name),
          4,
        )} ${guests.length === 1 ? 'holds' : 'hold'} some of them: move or delete these servers first.`
  return blocked(
    `mdevs of other types fill ${address}, so no ${parent.typeId} fits, and Nova before 29 then keeps ${parent.resourceClass} ${total} in Placement: ${listText(left.names, 4)}.`,
    `Remove them and their definitions: ${left.commands.join('; ')}.${held} ${GOES_ON}`,
  )
}

const check = async (
  tools: StepTools,
  { host, address, uuids, rootName }: FollowCapacityTask,
): Promise<CheckResult> => {
  const { joined, reason } = await tools.hostNow(host)
  if (joined === null) return unreadable(host, reason)
  const left = (joined.host.inventory.mdevs ?? []).filter(({ uuid }) => uuids.includes(uuid))
  if (left.length > 0)
    return {
      state: 'holds',
      answer: `${formatNoun(left.length, 'mdev stays', 'mdevs stay')} on ${address}, so its capacity is unchanged.`,
    }
  const parents = expectedParents(joined, address)
  if (parents === null) return unreadable(host, 'nova.conf or the mdevs could not be read')
  if (parents.length === 0)
    return {
      state: 'holds',
      answer: `nova.conf assigns no type to ${address}, so Placement has no provider for it.`,
    }
  const totals: string[] = []
  for (const parent of parents) {
    const name = mdevProviderName({ hypervisorHostname: rootName, address: parent.address })
    const expected = parent.available === null ? null : parent.made + parent.available
    // Which parents count under max_instances depends on libvirt's order.
    if (expected === null || parent.maxInstances !== null) continue
    const total = await totalOf(tools, name, parent.resourceClass)
    if (total !== expected)
      return (
        whyUnchanged(joined, { address, parent, total }) ??
        waitingForNova(
          `Placement reports ${parent.resourceClass} ${total} for ${name}, but the driver can provide ${expected} of ${parent.typeId}.`,
          host,
        )
      )
    totals.push(`${name} has ${parent.resourceClass} ${total}`)
  }
  const shown =
    totals.length > 4 ? `${totals.slice(0, 4).join(', ')} and ${totals.length - 4} more` : totals.join(', ')
  return {
    state: 'holds',
    answer: totals.length === 0 ? 'max_instances determines which parents count.' : `${shown}.`,
  }
}

/** Waits until room and Placement's totals follow the removal. */
export const followCapacityHandler: ConsoleHandler<FollowCapacityTask> = {
  by: 'console',
  check,
  act: async () => 'The step only checks.',
  checkUndo: async () => ({ state: 'holds', answer: 'The step only checked.' }),
  undo: async () => 'The step only checked.',
}
