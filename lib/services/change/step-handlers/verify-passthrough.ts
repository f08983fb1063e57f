import 'server-only'
import { isVfioDriver } from '@/lib/domain/pgpu/vfio-driver'
import type { CardTask } from '@/lib/domain/plans/host-steps/tasks'
import type { StepTask } from '@/lib/domain/plans/types'
import { listText } from '@/lib/domain/wording'
import { heldBy } from './await-empty'
import { blocked, GOES_ON, unreadable, waitingForNova } from './blocked'
import { providerByName } from './provider-by-name'
import type { CheckResult, ConsoleHandler, StepTools } from './step-work'

type Whole = Extract<StepTask, { kind: 'verify-whole' }>
type Sliced = Extract<StepTask, { kind: 'verify-sliced' }>

const pgpuNow = async (tools: StepTools, { host, address }: { host: string; address: string }) => {
  const { joined, reason } = await tools.hostNow(host)
  if (joined === null) return { pgpu: null, check: unreadable(host, reason) }
  const pgpu = joined.pgpus.find((entry) => entry.pgpu.address === address)?.pgpu
  return pgpu === undefined
    ? { pgpu: null, check: unreadable(host, `its agent no longer reports ${address}`) }
    : { pgpu, check: null }
}

/** What Placement lacks of the card; null: nothing, or Nova does not report it there. */
const missing = async (tools: StepTools, { host, provider }: Whole): Promise<CheckResult | null> => {
  if (provider === null) return null
  const { name, resourceClass } = provider
  const found = await providerByName(tools, name)
  if (found === null) return waitingForNova(`Placement has no resource provider ${name} yet.`, host)
  const { inventories } = await tools.placement.getInventories(found.uuid)
  return inventories[resourceClass]?.total === 1
    ? null
    : waitingForNova(`Placement does not list ${resourceClass} for ${name} yet.`, host)
}

const lookWhole = async (tools: StepTools, task: Whole): Promise<CheckResult> => {
  const { host, address, aliases } = task
  const { pgpu, check } = await pgpuNow(tools, task)
  if (pgpu === null) return check
  if (pgpu.driver === null || !isVfioDriver(pgpu.driver))
    return blocked(
      `${address} of ${host} is bound to ${pgpu.driver ?? 'no driver'}.`,
      `Bind it to vfio-pci. ${GOES_ON}`,
    )
  if (pgpu.iommu.isolation.value !== true)
    return blocked(
      `It is unknown whether the IOMMU group of ${address} is isolated: ${pgpu.iommu.isolation.reason ?? ''}.`,
      `Bind its other members to vfio-pci. ${GOES_ON}`,
    )
  if (pgpu.handedOutBy === null)
    return blocked(`No device_spec of ${host} matches ${address}.`, `Write it to [pci]. ${GOES_ON}`)
  const lacking = aliases.filter((name) => !pgpu.handedOutBy?.aliases.some((alias) => alias.name === name))
  if (lacking.length > 0)
    return blocked(
      `The alias ${listText(lacking)} of ${host} does not match ${address}.`,
      `Write it to [pci]. ${GOES_ON}`,
    )
  const where =
    task.provider === null
      ? 'Nova counts it in its PCI tracker, which no API exposes'
      : `Placement offers ${task.provider.resourceClass} 1`
  return (
    (await missing(tools, task)) ?? {
      state: 'holds',
      answer: `${address} is bound to ${pgpu.driver}, ${pgpu.handedOutBy.source} assigns it as ${listText(aliases) || 'a device without an alias'}; ${where}.`,
      intent: { address },
    }
  )
}

/** A card can go to a server whole; taking the change back waits until none holds it. */
export const verifyWholeHandler: ConsoleHandler<Whole> = {
  by: 'console',
  check: lookWhole,
  act: async () => 'The step only checks.',
  checkUndo: async (tools, { host, address, provider }) =>
    (await heldBy(tools, {
      host,
      addresses: [address],
      providers: provider === null ? [] : [provider],
    })) ?? { state: 'holds', answer: `No server holds ${address} of ${host}.` },
  undo: async () => 'The step only checked.',
}

/** A card is back under the driver that slices it; taking the change back waits until nothing is made on it. */
export const verifySlicedHandler: ConsoleHandler<Sliced> = {
  by: 'console',
  check: async (tools, task) => {
    const { host, address, driver } = task
    const { pgpu, check } = await pgpuNow(tools, task)
    if (pgpu === null) return check
    if (pgpu.driver !== driver)
      return blocked(
        `${address} of ${host} is bound to ${pgpu.driver ?? 'no driver'}.`,
        `Bind it to ${driver}. ${GOES_ON}`,
      )
    if (pgpu.handedOutBy !== null)
      return blocked(
        `${pgpu.handedOutBy.source} still assigns ${address}.`,
        `Remove it from device_spec. ${GOES_ON}`,
      )
    const types = pgpu.supportedTypes?.length ?? 0
    return {
      state: 'holds',
      answer: `${address} is bound to ${driver}${types === 0 ? '; VFs or types come with sriov-manage' : ` and offers ${types} vGPU types`}.`,
      intent: { address },
    }
  },
  act: async () => 'The step only checks.',
  checkUndo: async (tools, { host, address }) =>
    (await heldBy(tools, { host, addresses: [address], providers: [] })) ?? {
      state: 'holds',
      answer: `No server holds anything on ${address} of ${host}.`,
    },
  undo: async () => 'The step only checked.',
}

/** Why a card is not yet what the change makes of it; null: it is. */
export const whyNotYet = async (
  tools: StepTools,
  cards: readonly CardTask[],
): Promise<CheckResult | null> => {
  for (const card of cards) {
    const check =
      card.kind === 'verify-whole'
        ? await verifyWholeHandler.check(tools, card)
        : await verifySlicedHandler.check(tools, card)
    if (check.state !== 'holds') return check
  }
  return null
}

/** Whether any of the cards is still under the driver that the change gives it; null: its host is silent. */
export const isAnyBound = async (tools: StepTools, cards: readonly CardTask[]): Promise<boolean | null> => {
  for (const card of cards) {
    const { pgpu } = await pgpuNow(tools, card)
    if (pgpu === null) return null
    const isBound =
      card.kind === 'verify-whole'
        ? pgpu.driver !== null && isVfioDriver(pgpu.driver)
        : pgpu.driver === card.driver
    if (isBound) return true
  }
  return false
}
