import type { ChangeTarget } from '@/lib/domain/plans/step'
import 'server-only'
import type * as z from 'zod/v4/core'
import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { hostAggregates } from '@/lib/domain/cloud/host-aggregates'
import { cloudTraitRule } from '@/lib/domain/cloud/trait-rule'
import { planFence } from '@/lib/domain/plans/fence/plan-fence'
import { pgpusWithOrphans, planOrphans } from '@/lib/domain/plans/orphans/plan-orphans'
import { planPassthrough } from '@/lib/domain/plans/passthrough/plan-passthrough'
import { planTraits } from '@/lib/domain/plans/traits/plan-traits'
import { planTypeChange } from '@/lib/domain/plans/type-change/plan-type-change'
import type { Plan } from '@/lib/domain/plans/types'
import type { ChangePlan } from '@/lib/schemas/api/change'
import type {
  PlanOrphans,
  PlanTraits,
  PlanTypeChange,
  planChangeSchema,
} from '@/lib/schemas/api/change-inputs'
import { MOST_CHANGE_GPUS } from '@/lib/schemas/api/change-limits'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { askReach } from './ask-reach'
import { loadHeldPgpus } from './claims'
import { loadFleet } from './load-fleet'
import { planFlavorChange } from './plan-flavor-change'
import { planLimitChange } from './plan-limit-change'

type PlanInput = z.output<typeof planChangeSchema>

/** Steps that a person can still read; a card with SR-IOV has a provider per VF. */
const MOST_STEPS = 1000

const ofType = (fleet: Fleet, type: string): ChangeTarget[] =>
  fleet.hosts.flatMap(({ host, pgpus }) =>
    pgpus
      .filter(({ pgpu: { currentType } }) => currentType?.shortName === type || currentType?.typeId === type)
      .map(({ pgpu }) => ({ host: host.name, address: pgpu.address })),
  )

const inBounds = (found: ChangeTarget[], what: string): ChangeTarget[] => {
  if (found.length <= MOST_CHANGE_GPUS) return found
  throw new ServiceError(
    'limit',
    `${found.length} pGPUs are ${what}, and one change takes at most ${MOST_CHANGE_GPUS}: choose them in parts.`,
    { field: 'gpus' },
  )
}

const taggedTargets = (fleet: Fleet, gpus: PlanTraits['gpus']): ChangeTarget[] => {
  if (Array.isArray(gpus)) return gpus
  const found = ofType(fleet, gpus.type)
  if (found.length > 0) return inBounds(found, `on ${gpus.type}`)
  throw new ServiceError('validation', `No pGPU is on the type ${gpus.type}: choose another one.`, {
    field: 'gpus.type',
  })
}

const ofHost = ({ host, pgpus }: JoinedHost): ChangeTarget[] =>
  pgpus
    .filter(({ pgpu }) => pgpu.framework !== 'none')
    .map(({ pgpu }) => ({ host: host.name, address: pgpu.address }))

const retypedTargets = (fleet: Fleet, gpus: PlanTypeChange['gpus']): ChangeTarget[] => {
  if (Array.isArray(gpus)) return gpus
  const [what, hosts] =
    'host' in gpus
      ? [`of ${gpus.host}`, fleet.hosts.filter(({ host }) => host.name === gpus.host)]
      : [
          `of the aggregate ${gpus.aggregate}`,
          fleet.hosts.filter((joined) =>
            hostAggregates(fleet, joined)?.some(({ name }) => name === gpus.aggregate),
          ),
        ]
  const found = hosts.flatMap(ofHost)
  if (found.length > 0) return inBounds(found, what)
  throw new ServiceError('validation', `No agent reports a pGPU ${what}: choose others.`, { field: 'gpus' })
}

const orphanTargets = (fleet: Fleet, gpus: PlanOrphans['gpus']): ChangeTarget[] => {
  if (gpus !== 'all') return gpus
  // The rest is found again when these are gone.
  return pgpusWithOrphans(fleet).slice(0, MOST_CHANGE_GPUS)
}

const planOf = async (
  ctx: ServiceContext,
  { cloud, fleet, input }: { cloud: Cloud; fleet: Fleet; input: PlanInput },
): Promise<Plan> => {
  if (input.kind === 'traits')
    return askReach(
      ctx,
      { cloud, fleet },
      planTraits(fleet, {
        gpus: taggedTargets(fleet, input.gpus),
        rule: input.rule,
        isKept: input.isKept,
        providerConfig: input.providerConfig,
      }),
    )
  if (input.kind === 'limits') return planLimitChange(ctx, { cloud, fleet }, input)
  if (input.kind === 'flavor') return planFlavorChange(ctx, { cloud, fleet }, input)
  if (input.kind === 'fence') return planFence(fleet, input.wish)
  if (input.kind === 'orphans') return planOrphans(fleet, { gpus: orphanTargets(fleet, input.gpus) })
  const held = await loadHeldPgpus(ctx.database, cloud.id)
  if (input.kind === 'passthrough') {
    const { gpus, to, alias, isFlavorLossAccepted } = input
    return planPassthrough(fleet, { gpus, to, alias, isFlavorLossAccepted, held })
  }
  const { typeId, resourceClass, isFlavorLossAccepted, testBoot = null } = input
  const gpus = retypedTargets(fleet, input.gpus)
  const { rule } = cloudTraitRule(fleet)
  return planTypeChange(fleet, { gpus, typeId, resourceClass, isFlavorLossAccepted, rule, held, testBoot })
}

/** Makes a plan from what is known now; nothing is written anywhere. For services that have checked the permission. */
export const planChange = async (
  ctx: ServiceContext,
  input: PlanInput,
): Promise<{ cloud: Cloud; plan: Plan }> => {
  const cloud = await findCloud(ctx, { cloud: input.cloud })
  const fleet = await loadFleet(ctx, cloud)
  const plan = await planOf(ctx, { cloud, fleet, input })
  if (plan.steps.length > MOST_STEPS)
    throw new ServiceError(
      'limit',
      `The plan has ${plan.steps.length} steps, and one change takes at most ${MOST_STEPS}: choose fewer pGPUs.`,
      { field: 'gpus' },
    )
  return { cloud, plan }
}

/** The preview in the form in which it is saved and sent. */
export const previewOf = ({
  targets,
  refusals,
  unchanged,
  flavors,
  typeChange,
  traitTexts,
  traitNaming,
  flavorChange,
  fence,
  limitChange,
}: Plan): ChangePlan['preview'] => ({
  targets: [...targets],
  refusals: [...refusals],
  unchanged: [...unchanged],
  flavors: [...flavors],
  typeChange,
  ...(traitTexts === undefined ? {} : { traitTexts }),
  ...(traitNaming === undefined ? {} : { traitNaming }),
  ...(flavorChange === undefined ? {} : { flavorChange }),
  ...(fence === undefined ? {} : { fence }),
  ...(limitChange === undefined ? {} : { limitChange }),
})
