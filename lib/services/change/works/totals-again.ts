import { type ExpectedParent, expectedParents, isPciInPlacement } from '@/lib/domain/cloud/expected-providers'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { mdevProviderName, pciProviderName } from '@/lib/domain/cloud/provider-name'
import { listedFunctions } from '@/lib/domain/cloud/vf-promise'
import { vfIds } from '@/lib/domain/nova-config/listed-functions'
import { pciClass } from '@/lib/domain/nova-config/pci-names'
import type { StepTask } from '@/lib/domain/plans/types'
import { blocked, waitingForNova } from './blocked'
import { totalOf } from './follow-capacity'
import type { Look, WorkTools } from './step-work'

type Task = Extract<StepTask, { kind: 'close-service' }>

type Total = { name: string; resourceClass: string; expected: number }

const sizeOf = ({ made, available }: ExpectedParent): number => made + (available ?? 0)

const parentName = (rootName: string, { address }: ExpectedParent): string =>
  mdevProviderName({ hypervisorHostname: rootName, address })

/** Nova before 29 skips a parent without capacity. */
const hasCapacity = (parent: ExpectedParent): boolean => parent.available !== null && sizeOf(parent) > 0

const parentTotals = (rootName: string, parents: readonly ExpectedParent[]): Total[] =>
  parents
    .filter((parent) => parent.maxInstances === null && hasCapacity(parent))
    .map((parent) => ({
      name: parentName(rootName, parent),
      resourceClass: parent.resourceClass,
      expected: sizeOf(parent),
    }))

/** What Nova reports of the functions of a card that `device_spec` lists: one provider, of the VFs or of the card itself. */
const pciTotals = (joined: JoinedHost, rootName: string, address: string): Total[] => {
  const card = joined.pgpus.find(({ pgpu }) => pgpu.address === address)?.pgpu
  if (card === undefined || isPciInPlacement(joined) !== true) return []
  const listed = listedFunctions(joined, card)
  const vfs = listed.filter(({ isVf }) => isVf)
  const counted = vfs.length > 0 ? vfs : listed
  const [first] = counted
  if (first === undefined) return []
  const ids = first.isVf ? vfIds(card) : { vendorId: card.vendorId, productId: card.deviceId }
  const resourceClass = pciClass(first.spec.resource_class, ids)
  const name = pciProviderName({ hypervisorHostname: rootName, address })
  return resourceClass === null ? [] : [{ name, resourceClass, expected: counted.length }]
}

/** Providers of the change that nova-compute removes, since `device_spec` no longer lists their devices. */
const removedTotals = ({ verify = [], cards = [] }: Task, kept: readonly Total[]): Total[] => {
  const made = [
    ...cards.flatMap((card) =>
      card.kind === 'verify-whole' && card.provider !== null ? [card.provider] : [],
    ),
    ...verify.flatMap(({ vfio, providers, resourceClass }) =>
      vfio?.isInPlacement === true ? providers.map(({ name }) => ({ name, resourceClass })) : [],
    ),
  ]
  return made
    .filter(
      ({ name, resourceClass }) =>
        !kept.some((one) => one.name === name && one.resourceClass === resourceClass),
    )
    .map(({ name, resourceClass }) => ({ name, resourceClass, expected: 0 }))
}

/**
 * Why the parents of a type under `max_instances` cannot be as nova-compute reports them; null: they can. Which parents count
 * depends on libvirt's order, but each counts whole or not at all, all counted ones fit under the limit, and no other one
 * does (nova/virt/libvirt/driver.py _get_gpu_inventories).
 */
const whyBoundWrong = async (
  tools: WorkTools,
  rootName: string,
  parents: readonly ExpectedParent[],
): Promise<string | null> => {
  const limit = parents[0]?.maxInstances ?? null
  if (limit === null) return null
  const read: { parent: ExpectedParent; total: number }[] = []
  for (const parent of parents.filter(hasCapacity))
    read.push({ parent, total: await totalOf(tools, parentName(rootName, parent), parent.resourceClass) })
  const odd = read.find(({ parent, total }) => total !== 0 && total !== sizeOf(parent))
  if (odd !== undefined)
    return `${odd.parent.resourceClass} is ${odd.total} for ${parentName(rootName, odd.parent)}, expected ${sizeOf(odd.parent)} or none`
  const made = parents.reduce((sum, parent) => sum + parent.made, 0)
  const counted = read.reduce(
    (sum, { parent, total }) => sum + (total > 0 ? (parent.available ?? 0) : 0),
    made,
  )
  if (counted > limit && read.some(({ parent, total }) => total > 0 && (parent.available ?? 0) > 0))
    return `the totals of ${parents[0]?.typeId} exceed max_instances ${limit}`
  const left = read.find(({ parent, total }) => total === 0 && counted + (parent.available ?? 0) <= limit)
  return left === undefined
    ? null
    : `${parentName(rootName, left.parent)} has no ${left.parent.resourceClass}, expected ${sizeOf(left.parent)}`
}

/** All parents of the host of the types that some parents have. */
const ofSameTypes = (joined: JoinedHost, parents: readonly ExpectedParent[]): ExpectedParent[][] => {
  const all = joined.pgpus.flatMap(({ pgpu }) => expectedParents(joined, pgpu.address) ?? [])
  const bounded = parents.filter(({ maxInstances }) => maxInstances !== null)
  return [...new Set(bounded.map(({ typeId }) => typeId))].map((typeId) =>
    all.filter((parent) => parent.typeId === typeId),
  )
}

const notChecked = (host: string, reason: string): Look =>
  blocked(
    `Scheduling stays disabled: ${reason}, so the totals in Placement cannot be checked.`,
    `The step continues when the agent of ${host} reports. Or skip the step, check the totals and enable scheduling manually.`,
  )

/**
 * What keeps a rollback from enabling scheduling: a total in Placement that nova-compute has not corrected yet, or that
 * cannot be checked. Null: all are correct.
 */
export const whyTotalsWrong = async (tools: WorkTools, task: Task): Promise<Look | null> => {
  const { host, verify = [], cards = [] } = task
  const addresses = [...new Set([...verify, ...cards].map(({ address }) => address))]
  if (addresses.length === 0) return null
  const { joined, reason } = await tools.hostNow(host)
  if (joined === null) return notChecked(host, reason)
  const rootName = joined.root.value?.name
  if (rootName === undefined)
    return notChecked(host, `Placement has no provider of ${host} in the last reading`)
  const parents: ExpectedParent[] = []
  for (const address of addresses) {
    const own = expectedParents(joined, address)
    if (own === null) return notChecked(host, `nova.conf or the mdevs of ${host} could not be read`)
    parents.push(...own)
  }
  const kept = [
    ...parentTotals(rootName, parents),
    ...addresses.flatMap((address) => pciTotals(joined, rootName, address)),
  ]
  for (const { name, resourceClass, expected } of [...kept, ...removedTotals(task, kept)]) {
    const total = await totalOf(tools, name, resourceClass)
    if (total !== expected)
      return waitingForNova(
        `Scheduling stays disabled until Placement reports ${resourceClass} ${expected} for ${name}: it still reports ${total}.`,
        host,
      )
  }
  for (const group of ofSameTypes(joined, parents)) {
    const wrong = await whyBoundWrong(tools, rootName, group)
    if (wrong !== null) return waitingForNova(`Scheduling stays disabled: ${wrong}.`, host)
  }
  return null
}
