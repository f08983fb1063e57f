import 'server-only'
import { renderMarkdownRunbook, renderShellRunbook } from '@/lib/domain/plans/runbook/render-runbook'
import { runbookName } from '@/lib/domain/plans/runbook/runbook-name'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Encoded } from '@/lib/util/encode/encoded'
import { listSteps } from './change-rows'
import { loadChange } from './get-change'

/** The whole change as text to be followed by hand. */
export const getRunbook = async (
  ctx: ServiceContext,
  { id, format }: { id: number; format: 'md' | 'sh' },
): Promise<{ name: string; type: string; text: Encoded<'shell' | 'markdown'> }> => {
  requirePermission(ctx, 'fleet.read')
  const change = await loadChange(ctx, id)
  const steps = await listSteps(ctx.database, id)
  const runbook = { id, title: change.title, cloud: change.cloud, steps: steps.map(({ body }) => body) }
  const name = runbookName({ id, format })
  return format === 'sh'
    ? { name, type: 'text/x-shellscript; charset=utf-8', text: renderShellRunbook(runbook) }
    : { name, type: 'text/markdown; charset=utf-8', text: renderMarkdownRunbook(runbook) }
}
