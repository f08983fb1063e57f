import 'server-only'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { VerifyTask } from '@/lib/domain/plans/host-steps/tasks'
import { vendorTypeId } from '@/lib/domain/vgpu-type/creatable-line'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import { heldBy } from './await-empty'
import { leftOver } from './await-offer'
import { blocked, GOES_ON, unreadable, waitingForNova } from './blocked'
import { offeredNow } from './offered'
import type { CheckResult, ConsoleHandler, StepTools } from './step-work'

/** Vendor VFIO: the VFs that do not carry the type. */
const vfioReason = (
  { pgpu }: JoinedHost['pgpus'][number],
  { functions, address, typeId, typeName }: VerifyTask & { functions: readonly string[] },
): string | null => {
  const wrong = functions.filter((each) => {
    const now = pgpu.virtualFunctions.find((vf) => vf.address === each)?.currentType
    return now == null || vendorTypeId(now) !== typeId
  })
  return wrong.length === 0
    ? null
    : `${listText(wrong)} of ${address} ${wrong.length === 1 ? 'does' : 'do'} not have ${typeName} (${typeId})`
}

/** Made and creatable vGPUs of the type by the driver. */
const hardwareReason = (joined: JoinedHost, task: VerifyTask): string | null => {
  const { address, typeId, typeName, total, host, vfio } = task
  const entry = joined.pgpus.find(({ pgpu }) => pgpu.address === address)
  if (entry === undefined) return `its agent no longer reports ${address}`
  if (vfio !== undefined) return vfioReason(entry, { ...task, functions: vfio.functions })
  const configured = entry.pgpu.configuredType?.typeId ?? null
  if (configured !== typeId && entry.pgpu.framework === 'mdev')
    return `nova.conf of ${host} has ${configured ?? 'no type'} for ${address}, not ${typeId}`
  const creatable = entry.pgpu.supportedTypes?.find((type) => type.typeId === typeId)?.creatable ?? null
  if (creatable === null) return `the driver does not report how many ${typeName} it can create on ${address}`
  const made = (joined.host.inventory.mdevs ?? []).filter(
    (mdev) => mdev.isActive && mdev.typeId === typeId && entry.functions.includes(mdev.parent),
  ).length
  return made + creatable >= total
    ? null
    : `the driver has ${made} ${typeName} on ${address} and can create ${creatable} more; expected: ${total}`
}

const check = async (tools: StepTools, task: VerifyTask): Promise<CheckResult> => {
  const { host, address, resourceClass, total } = task
  const { joined, reason } = await tools.hostNow(host)
  if (joined === null) return unreadable(host, reason)
  const wrong = hardwareReason(joined, task)
  if (wrong !== null) return blocked(`On ${host}, ${wrong}.`, `See the findings of the pGPU. ${GOES_ON}`)
  if (task.vfio?.isInPlacement === false)
    return {
      state: 'holds',
      answer: `${formatNoun(total, 'VF has', 'VFs have')} ${task.typeName} (${task.typeId}). Placement has no PCI devices here.`,
      intent: { address },
    }
  const { sum, others } = await offeredNow(tools, task)
  if (sum !== total || others.length > 0) {
    const [now, more] = [`${resourceClass} ${sum}`, others.length === 0 ? '' : ` and ${listText(others)}`]
    return waitingForNova(
      `Placement has ${now}${more} for ${host} ${address}; expected: ${resourceClass} ${total}.`,
      host,
    )
  }
  return {
    state: 'holds',
    answer: `The driver offers ${task.typeName} (${task.typeId}), and Placement has ${resourceClass} total ${sum}.`,
    intent: { address },
  }
}

/**
 * Whether any of these pGPUs is set to the type, by nova.conf or by its VFs; null: its host is silent. Unlike `check`,
 * it checks neither whether nova-compute has read the type nor what Placement has.
 */
export const isAnySet = async (tools: StepTools, tasks: readonly VerifyTask[]): Promise<boolean | null> => {
  for (const task of tasks) {
    const { joined } = await tools.hostNow(task.host)
    const entry = joined?.pgpus.find(({ pgpu }) => pgpu.address === task.address)
    if (entry === undefined) return null
    const isSet =
      task.vfio === undefined
        ? entry.pgpu.configuredType?.typeId === task.typeId
        : vfioReason(entry, { ...task, functions: task.vfio.functions }) === null
    if (isSet) return true
  }
  return false
}

/** Before the old type comes back, nothing of the new one may be left. */
const checkUndo = async (tools: StepTools, task: VerifyTask): Promise<CheckResult> => {
  const { host, address, providers } = task
  const held = await heldBy(tools, { host, addresses: [address], providers })
  if (held !== null) return held
  const { joined, reason } = await tools.hostNow(host)
  if (joined === null) return unreadable(host, reason)
  const { names, commands } = leftOver(joined, { addresses: [address], typeId: '' })
  return names.length === 0
    ? { state: 'holds', answer: `No server and no mdev of ${task.typeName} is on ${host} ${address}.` }
    : blocked(
        `mdevs of ${task.typeName} remain on ${host} ${address}: ${listText(names)}.`,
        `Remove them and their definitions: ${commands.join('; ')}. ${GOES_ON}`,
      )
}

/** Hardware, nova.conf and Placement agree on a pGPU's type. */
export const verifyPgpuHandler: ConsoleHandler<VerifyTask> = {
  by: 'console',
  check,
  act: async () => 'The step only checks.',
  checkUndo,
  undo: async () => 'The step only checked.',
}
