import 'server-only'
import { boundedTotalsFault, parentSize } from '@/lib/domain/cloud/bounded-totals'
import { type ExpectedParent, expectedParents, isPciInPlacement } from '@/lib/domain/cloud/expected-providers'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { mdevProviderName, pciProviderName } from '@/lib/domain/cloud/provider-name'
import { listedFunctions } from '@/lib/domain/cloud/vf-promise'
import { vfIds } from '@/lib/domain/nova-config/listed-functions'
import { pciClass } from '@/lib/domain/nova-config/pci-names'
import type { StepTask } from '@/lib/domain/plans/types'
import { blocked, GOES_ON, waitingForNova } from './blocked'
import type { CheckResult, StepTools } from './step-work'
import { readTreeTotals, type TreeTotals } from './tree-totals'

type Task = Extract<StepTask, { kind: 'close-service' }>

type Total = { name: string; resourceClass: string; expected: number }

const parentName = (rootName: string, { address }: ExpectedParent): string =>
  mdevProviderName({ hypervisorHostname: rootName, address })

/** Nova before 29 skips a parent without capacity. */
const hasCapacity = (parent: ExpectedParent): boolean => parent.available !== null && parentSize(parent) > 0

const parentTotals = (rootName: string, parents: readonly ExpectedParent[]): Total[] =>
  parents
    .filter((parent) => parent.maxInstances === null && hasCapacity(parent))
    .map((parent) => ({
      name: parentName(rootName, parent),
      resourceClass: parent.resourceClass,
      expected: parentSize(parent),
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
const removedTotals = ({ verify = [], cards = [] }: Task, reported: readonly Total[]): Total[] => {
  const created = [
    ...cards.flatMap((card) =>
      card.kind === 'verify-whole' && card.provider !== null ? [card.provider] : [],
    ),
    ...verify.flatMap(({ vfio, providers, resourceClass }) =>
      vfio?.isInPlacement === true ? providers.map(({ name }) => ({ name, resourceClass })) : [],
    ),
  ]
  return created
    .filter(
      ({ name, resourceClass }) =>
        !reported.some((one) => one.name === name && one.resourceClass === resourceClass),
    )
    .map(({ name, resourceClass }) => ({ name, resourceClass, expected: 0 }))
}

/** Why the parents of the change that `max_instances` bounds have other totals than nova-compute reports; null: they have not. */
const whyBoundWrong = async (
  totals: TreeTotals,
  { joined, rootName, parents }: { joined: JoinedHost; rootName: string; parents: readonly ExpectedParent[] },
): Promise<string | null> => {
  const own = new Set(parents.map(({ address }) => address))
  const all = joined.pgpus.flatMap(({ pgpu }) => expectedParents(joined, pgpu.address) ?? [])
  const limits = new Map(parents.map(({ typeId, maxInstances }) => [typeId, maxInstances]))
  for (const [typeId, limit] of limits) {
    if (limit === null) continue
    const ofType = all.filter((parent) => parent.typeId === typeId && hasCapacity(parent))
    const read = ofType.map(async (parent) => {
      const name = parentName(rootName, parent)
      return { parent, name, total: await totals(name, parent.resourceClass) }
    })
    const fault = boundedTotalsFault(limit, { own, ofType: await Promise.all(read) })
    if (fault !== null) return fault
  }
  return null
}

const notChecked = (reason: string, wayOut: string): CheckResult =>
  blocked(
    `Scheduling stays disabled: ${reason}, so the totals in Placement cannot be checked.`,
    `${wayOut} Or skip the step, check the totals and enable scheduling manually.`,
  )

/** Parents of the cards of a change; a look where they cannot be known. */
const readParents = (joined: JoinedHost, addresses: readonly string[]): ExpectedParent[] | CheckResult => {
  const { name, inventory } = joined.host
  const parents: ExpectedParent[] = []
  for (const address of addresses) {
    if (!inventory.gpus.some((gpu) => gpu.address === address))
      return notChecked(`the agent of ${name} no longer reports ${address}`, `Check the card. ${GOES_ON}`)
    const own = expectedParents(joined, address)
    if (own === null)
      return notChecked(
        `nova.conf or the mdevs of ${name} could not be read`,
        `See the findings of ${name}. ${GOES_ON}`,
      )
    parents.push(...own)
  }
  return parents
}

/**
 * What keeps a rollback from enabling scheduling: a total in Placement that nova-compute has not corrected yet, or that
 * cannot be checked. Null: all are correct.
 */
export const whyTotalsWrong = async (tools: StepTools, task: Task): Promise<CheckResult | null> => {
  const { host, verify = [], cards = [] } = task
  const addresses = [...new Set([...verify, ...cards].map(({ address }) => address))]
  if (addresses.length === 0) return null
  const { joined, reason } = await tools.hostNow(host)
  if (joined === null) return notChecked(reason, `Start the agent of ${host}. ${GOES_ON}`)
  const root = joined.root.value
  if (root === null)
    return notChecked(
      `Placement has no provider of ${host} in the last reading`,
      `nova-compute creates it at its start. ${GOES_ON}`,
    )
  const parents = readParents(joined, addresses)
  if (!Array.isArray(parents)) return parents
  const totals = await readTreeTotals(tools, root.uuid)
  const reported = [
    ...parentTotals(root.name, parents),
    ...addresses.flatMap((address) => pciTotals(joined, root.name, address)),
  ]
  for (const { name, resourceClass, expected } of [...reported, ...removedTotals(task, reported)]) {
    const total = await totals(name, resourceClass)
    if (total !== expected)
      return waitingForNova(
        `Scheduling stays disabled until Placement reports ${resourceClass} ${expected} for ${name}: it still reports ${total}.`,
        host,
      )
  }
  const wrong = await whyBoundWrong(totals, { joined, rootName: root.name, parents })
  return wrong === null ? null : waitingForNova(`Scheduling stays disabled: ${wrong}.`, host)
}
