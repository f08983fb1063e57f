import 'server-only'
import { markdownRunbookInSteps, shellRunbookInSteps } from '@/lib/domain/plans/runbook/render-runbook'
import { runbookName } from '@/lib/domain/plans/runbook/runbook-name'
import type { StoredStep } from '@/lib/domain/plans/stored-plan'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Encoded } from '@/lib/util/encode/encoded'
import { inSlices } from '@/lib/util/in-slices'
import { eachStep } from './change-rows'
import { loadChange } from './get-change'

/** The whole change as text for manual work. */
export const getRunbook = async (
  ctx: ServiceContext,
  { id, format }: { id: number; format: 'md' | 'sh' },
): Promise<{ name: string; type: string; text: Encoded<'shell' | 'markdown'> }> => {
  requirePermission(ctx, 'fleet.read')
  const change = await loadChange(ctx, id)
  const steps: StoredStep[] = []
  for await (const { body } of eachStep(ctx.database, id)) {
    ctx.signal?.throwIfAborted()
    steps.push(body)
  }
  const runbook = { id, title: change.title, cloud: change.cloud, steps }
  const name = runbookName({ id, format })
  return format === 'sh'
    ? {
        name,
        type: 'text/x-shellscript; charset=utf-8',
        text: await inSlices(shellRunbookInSteps(runbook), ctx.signal),
      }
    : {
        name,
        type: 'text/markdown; charset=utf-8',
        text: await inSlices(markdownRunbookInSteps(runbook), ctx.signal),
      }
}
