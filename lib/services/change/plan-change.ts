import 'server-only'
import type * as z from 'zod/v4/core'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { planTraits } from '@/lib/domain/plans/plan-traits'
import type { ChangeTarget, Plan } from '@/lib/domain/plans/types'
import type { ChangePlan } from '@/lib/schemas/api/change'
import type { planChangeSchema } from '@/lib/schemas/api/change-inputs'
import { MOST_CHANGE_GPUS } from '@/lib/schemas/api/change-limits'
import type { ServiceContext } from '@/lib/server/service-context'
import { ServiceError } from '@/lib/server/service-error'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from './load-fleet'

type PlanInput = z.output<typeof planChangeSchema>

/** Steps that a person can still read; a card with SR-IOV has a provider per VF. */
const MOST_STEPS = 1000

const ofType = (fleet: Fleet, type: string): ChangeTarget[] =>
  fleet.hosts.flatMap(({ host, pgpus }) =>
    pgpus
      .filter(({ pgpu: { currentType } }) => currentType?.shortName === type || currentType?.typeId === type)
      .map(({ pgpu }) => ({ host: host.name, address: pgpu.address })),
  )

const targetsOf = (fleet: Fleet, gpus: PlanInput['gpus']): ChangeTarget[] => {
  if (Array.isArray(gpus)) return gpus
  const found = ofType(fleet, gpus.type)
  if (found.length === 0)
    throw new ServiceError('validation', `No pGPU is on the type ${gpus.type}: choose another one.`, {
      field: 'gpus.type',
    })
  if (found.length > MOST_CHANGE_GPUS)
    throw new ServiceError(
      'limit',
      `${found.length} pGPUs are on ${gpus.type}, and one change takes at most ${MOST_CHANGE_GPUS}: choose them in parts.`,
      { field: 'gpus.type' },
    )
  return found
}

/** Makes a plan from what is known now; nothing is written anywhere. For services that have checked the permission. */
export const planChange = async (
  ctx: ServiceContext,
  { cloud: name, gpus, rule }: PlanInput,
): Promise<{ cloud: Cloud; plan: Plan }> => {
  const cloud = await findCloud(ctx, { cloud: name })
  const fleet = await loadFleet(ctx, cloud)
  const plan = planTraits(fleet, { gpus: targetsOf(fleet, gpus), rule })
  if (plan.steps.length > MOST_STEPS)
    throw new ServiceError(
      'limit',
      `The plan has ${plan.steps.length} steps, and one change takes at most ${MOST_STEPS}: choose fewer pGPUs.`,
      { field: 'gpus' },
    )
  return { cloud, plan }
}

export const previewOf = ({ targets, refusals, unchanged, flavors }: Plan): ChangePlan['preview'] => ({
  targets: [...targets],
  refusals: [...refusals],
  unchanged: [...unchanged],
  flavors: [...flavors],
})
