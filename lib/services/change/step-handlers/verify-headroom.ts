import 'server-only'
import type { StepTask } from '@/lib/domain/plans/types'
import { waitingForNova } from './blocked'
import { providerByName } from './provider-by-name'
import type { CheckResult, ConsoleHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'verify-room' }>

const check = async (tools: StepTools, task: Task): Promise<CheckResult> => {
  const { host, rootName, vcpu, pcpu, reservedMemoryMib } = task
  const root = await providerByName(tools, rootName)
  if (root === null) return waitingForNova(`Placement has no resource provider ${rootName} yet.`, host)
  const { inventories } = await tools.placement.getInventories(root.uuid)
  const now = {
    vcpu: inventories.VCPU?.total ?? 0,
    pcpu: inventories.PCPU?.total ?? 0,
    reserved: inventories.MEMORY_MB?.reserved ?? 0,
  }
  const cpuText = `VCPU ${now.vcpu}, PCPU ${now.pcpu} and ${now.reserved} MiB of memory reserved`
  if (now.vcpu === vcpu && now.pcpu === pcpu && now.reserved === reservedMemoryMib)
    return { state: 'holds', answer: `Placement has ${cpuText} for ${rootName}.` }
  return waitingForNova(
    `Placement has ${cpuText} for ${rootName}; expected: VCPU ${vcpu}, PCPU ${pcpu} and ${reservedMemoryMib} MiB.`,
    host,
  )
}

/** Placement has the compute node's inventory that nova.conf makes. */
export const verifyHeadroomHandler: ConsoleHandler<Task> = {
  by: 'console',
  check,
  act: async () => 'The step only checks.',
  checkUndo: async () => ({ state: 'holds', answer: 'The step only checked.' }),
  undo: async () => 'The step only checked.',
}
