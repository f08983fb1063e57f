import type { VerifyTask } from '@/lib/domain/plans/host-steps/tasks'
import { providerByName } from './provider-by-name'
import type { StepTools } from './step-work'

/** What the providers of a pGPU offer now, of the wanted class and of others. */
export const offeredNow = async (
  tools: StepTools,
  { rootName, providers, resourceClass }: VerifyTask,
): Promise<{ sum: number; others: string[] }> => {
  const root = await providerByName(tools, rootName)
  const tree = root === null ? [] : await tools.placement.listProviders({ inTree: root.uuid })
  const others: string[] = []
  let sum = 0
  for (const { name } of providers) {
    const provider = tree.find((entry) => entry.name === name)
    if (provider === undefined) continue
    const { inventories } = await tools.placement.getInventories(provider.uuid)
    for (const [offered, { total }] of Object.entries(inventories))
      if (offered === resourceClass) sum += total
      else others.push(`${offered} ${total}`)
  }
  return { sum, others }
}

/** Placement offers for each pGPU what is expected, and nothing else. */
export const isOffered = async (tools: StepTools, tasks: readonly VerifyTask[]): Promise<boolean> => {
  for (const task of tasks) {
    if (task.vfio?.isInPlacement === false) return false
    const { sum, others } = await offeredNow(tools, task)
    if (sum !== task.total || others.length > 0) return false
  }
  return true
}
