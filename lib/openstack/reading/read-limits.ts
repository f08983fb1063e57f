import type { LimitFacts, ProjectLimit } from '@/lib/domain/cloud/types'
import type { ServiceAccount } from '../session/types'
import type { RequestMeter } from '../transport/types'
import { IncompletePart, type Round } from './round'

/** Keystone's model of limits changes with its configuration and a restart. */
export type LimitMemory = { model: { name: string; atMs: number } | null }

const MODEL_AGE_MS = 86_400_000

type ReadLimitsInput = {
  account: ServiceAccount
  meter?: RequestMeter
  memory: LimitMemory
  round: Pick<Round, 'now'>
}

export const readLimits = async (
  input: ReadLimitsInput,
): Promise<LimitFacts | IncompletePart<LimitFacts>> => {
  const { account, meter, memory, round } = input
  const { limits } = account.keystone
  const hasSystemScope = await account.hasSystemScope(meter)
  const scope = hasSystemScope ? 'system' : 'project'
  return account.withToken(
    scope,
    async (token) => {
      const ask = { tokenId: token.id, meter }
      const nowMs = round.now.getTime()
      if (memory.model === null || nowMs - memory.model.atMs > MODEL_AGE_MS) {
        memory.model = { name: await limits.getModel(ask), atMs: nowMs }
      }
      const registered = await limits.listRegistered(ask)
      const project = await limits.list(ask)
      const ownProjectId = token.scope.kind === 'project' ? token.scope.id : null
      const ids = await account.novaEndpointIds(meter)
      const facts: LimitFacts = {
        model: memory.model.name,
        registered: registered.items,
        project: hasSystemScope || seesOthers(project.items, ownProjectId) ? project.items : null,
        novaServiceId: ids?.serviceId ?? null,
        novaRegionId: ids?.regionId ?? null,
      }
      const because = registered.incompleteBecause ?? project.incompleteBecause
      return because === null ? facts : new IncompletePart(facts, because)
    },
    meter,
  )
}

/**
 * From 2026.1 on a project's admin sees all limits; before, only those of the admin's project. Nothing else distinguishes
 * the two.
 */
const seesOthers = (limits: readonly ProjectLimit[], ownProjectId: string | null) =>
  limits.some((limit) => limit.projectId !== ownProjectId)
