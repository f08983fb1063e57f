import 'server-only'
import type * as z from 'zod/v4/core'
import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { hostAggregates } from '@/lib/domain/cloud/host-aggregates'
import { cloudTraitRule } from '@/lib/domain/cloud/trait-rule'
import { filterGpus } from '@/lib/domain/gpu-list/filter-gpus'
import { entryAt } from '@/lib/domain/gpu-list/gpu-store'
import { orphansInSteps, pgpusWithOrphans } from '@/lib/domain/plans/orphans/plan-orphans'
import { passthroughInSteps } from '@/lib/domain/plans/passthrough/plan-passthrough'
import { planReservation } from '@/lib/domain/plans/reservation/plan-reservation'
import type { ChangeTarget } from '@/lib/domain/plans/step'
import { traitsInSteps } from '@/lib/domain/plans/traits/plan-traits'
import { typeChangeInSteps } from '@/lib/domain/plans/type-change/plan-type-change'
import type { Plan } from '@/lib/domain/plans/types'
import type { ChangePreview } from '@/lib/schemas/api/change'
import type {
  PlanOrphans,
  PlanTraits,
  PlanTypeChange,
  planChangeSchema,
} from '@/lib/schemas/api/change-inputs'
import type { GpuFilterInput, gpuFilterSchema } from '@/lib/schemas/api/gpu-filter'
import { MAX_CHANGE_GPUS } from '@/lib/schemas/api/gpu-limits'
import { SEARCH_TEXT } from '@/lib/schemas/api/search-text'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { readFleetView } from '@/lib/services/fleet/fleet-view'
import { findGuests } from '@/lib/services/search/find-guests'
import { inSlices } from '@/lib/util/in-slices'
import { loadHeldPgpus } from './claims'
import { countEligiblePgpus } from './count-eligible-pgpus'
import { loadFleetForPlan } from './load-fleet-for-plan'
import { planFlavorChange } from './plan-flavor-change'
import { planLimitChange } from './plan-limit-change'

/** GPUs of servers whose name has the text, as the page of the list requests them. */
const gpusOfServers = async (ctx: ServiceContext, cloud: Cloud, q: string): Promise<ChangeTarget[]> => {
  const text = q.trim().slice(0, SEARCH_TEXT.maxCharacters).toLowerCase()
  if (text.length < SEARCH_TEXT.minCharacters) return []
  const guests = await findGuests(ctx, { cloud, text })
  return guests.flatMap(({ host, pgpuAddresses }) => pgpuAddresses.map((address) => ({ host, address })))
}

/** The GPUs that the list shows with a filter, by the functions of the list. */
export const filteredGpus = async (
  ctx: ServiceContext,
  cloud: Cloud,
  { q, model, type, framework, aggregate, finding, holds }: z.output<typeof gpuFilterSchema>,
): Promise<ChangeTarget[]> => {
  const { fleet, silence } = await readFleetView(ctx, cloud)
  const store = fleet.encoded.store()
  const rows = filterGpus(
    store,
    {
      ...{ text: q, models: model, types: type, frameworks: framework },
      ...{ aggregates: aggregate, finding, holding: holds },
    },
    {
      silentHosts: new Set(silence.silent.map(({ name }) => name)),
      serverGpus: await gpusOfServers(ctx, cloud, q),
    },
  )
  const { data, columns } = store
  return Array.from(rows, (row) => ({
    host: entryAt(data.hosts, columns.hostIndex, row) ?? '',
    address: entryAt(data.addresses, columns.addressIndex, row) ?? '',
  }))
}

type PlanInput = z.output<typeof planChangeSchema>

/** A type change has about 7 steps for each GPU, and a card with SR-IOV has a provider for each VF. */
const MAX_STEPS = 10_000

const ofType = (fleet: Fleet, type: string): ChangeTarget[] =>
  fleet.hosts.flatMap(({ host, pgpus }) =>
    pgpus
      .filter(({ pgpu: { currentType } }) => currentType?.shortName === type || currentType?.typeId === type)
      .map(({ pgpu }) => ({ host: host.name, address: pgpu.address })),
  )

const inBounds = (found: ChangeTarget[], what: string): ChangeTarget[] => {
  if (found.length <= MAX_CHANGE_GPUS) return found
  throw new ServiceError(
    'limit',
    `${found.length} pGPUs are ${what}, and one change can have at most ${MAX_CHANGE_GPUS}. Split them into several changes.`,
    { field: 'gpus' },
  )
}

type Filtered = { filter: z.output<typeof gpuFilterSchema> }
type Resolved<Gpus> = Exclude<Gpus, { filter: GpuFilterInput }>

const isFiltered = (gpus: unknown): gpus is Filtered =>
  typeof gpus === 'object' && gpus !== null && !Array.isArray(gpus) && 'filter' in gpus

/** The GPUs of a filter by name; any other choice as it is. */
const resolveFilter = async <Gpus>(
  ctx: ServiceContext,
  cloud: Cloud,
  gpus: Gpus,
): Promise<Resolved<Gpus> | ChangeTarget[]> => {
  // The type guard cannot narrow a type parameter.
  if (!isFiltered(gpus)) return gpus as Resolved<Gpus>
  const found = await filteredGpus(ctx, cloud, gpus.filter)
  if (found.length > 0) return inBounds(found, 'matched by the filter')
  throw new ServiceError('validation', 'No pGPU matches the filter. Change the filter.', { field: 'gpus' })
}

const taggedTargets = (fleet: Fleet, gpus: Resolved<PlanTraits['gpus']>): ChangeTarget[] => {
  if (Array.isArray(gpus)) return gpus
  const found = ofType(fleet, gpus.type)
  if (found.length > 0) return inBounds(found, `on ${gpus.type}`)
  throw new ServiceError('validation', `No pGPU has the type ${gpus.type}. Select another type.`, {
    field: 'gpus.type',
  })
}

const ofHost = ({ host, pgpus }: JoinedHost): ChangeTarget[] =>
  pgpus
    .filter(({ pgpu }) => pgpu.framework !== 'none')
    .map(({ pgpu }) => ({ host: host.name, address: pgpu.address }))

const retypedTargets = (fleet: Fleet, gpus: Resolved<PlanTypeChange['gpus']>): ChangeTarget[] => {
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
  throw new ServiceError('validation', `No agent reports a pGPU ${what}. Select other pGPUs.`, {
    field: 'gpus',
  })
}

const orphanTargets = (fleet: Fleet, gpus: Resolved<PlanOrphans['gpus']>): ChangeTarget[] => {
  if (gpus !== 'all') return gpus
  // The rest is found again when these are gone.
  return pgpusWithOrphans(fleet).slice(0, MAX_CHANGE_GPUS)
}

type Scope = { cloud: Cloud; fleet: Fleet }

type ChangeKind = PlanInput['kind']
type InputOf<Kind extends ChangeKind> = Extract<PlanInput, { kind: Kind }>
type PlanOf<Kind extends ChangeKind> = Extract<Plan, { kind: Kind }>

type Planner<Kind extends ChangeKind> = (
  ctx: ServiceContext,
  scope: Scope,
  input: InputOf<Kind>,
) => Promise<PlanOf<Kind>>

/** The planner of each kind of change; a kind without one does not compile. */
const PLANNERS: { readonly [Kind in ChangeKind]: Planner<Kind> } = {
  fence: async (_ctx, { fleet }, { input }) => planReservation(fleet, input),
  flavor: planFlavorChange,
  limits: planLimitChange,
  orphans: async (ctx, { cloud, fleet }, { gpus }) => {
    const targets = orphanTargets(fleet, await resolveFilter(ctx, cloud, gpus))
    return inSlices(orphansInSteps(fleet, { gpus: targets }), ctx.signal)
  },
  passthrough: async (ctx, { cloud, fleet }, { to, alias, isFlavorLossAccepted, ...input }) => {
    const held = await loadHeldPgpus(ctx.database, cloud.id)
    const gpus = await resolveFilter(ctx, cloud, input.gpus)
    return inSlices(passthroughInSteps(fleet, { gpus, to, alias, isFlavorLossAccepted, held }), ctx.signal)
  },
  traits: async (ctx, scope, { gpus, rule, isManaged, providerConfig }) => {
    const targets = taggedTargets(scope.fleet, await resolveFilter(ctx, scope.cloud, gpus))
    const wanted = { gpus: targets, rule, isManaged, providerConfig }
    return countEligiblePgpus(ctx, scope, await inSlices(traitsInSteps(scope.fleet, wanted), ctx.signal))
  },
  type: async (ctx, { cloud, fleet }, { typeId, resourceClass, isFlavorLossAccepted, ...input }) => {
    const held = await loadHeldPgpus(ctx.database, cloud.id)
    const gpus = retypedTargets(fleet, await resolveFilter(ctx, cloud, input.gpus))
    const { rule } = await inSlices(cloudTraitRule(fleet), ctx.signal)
    const testBoot = input.testBoot ?? null
    const wanted = { gpus, typeId, resourceClass, isFlavorLossAccepted, rule, held, testBoot }
    return inSlices(typeChangeInSteps(fleet, wanted), ctx.signal)
  },
}

/** Creates a plan from the current facts; nothing is written. For services that have checked the permission. */
export const planChange = async <Kind extends ChangeKind>(
  ctx: ServiceContext,
  input: InputOf<Kind> & { kind: Kind },
): Promise<{ cloud: Cloud; plan: PlanOf<Kind> }> => {
  const cloud = await findCloud(ctx, { cloud: input.cloud })
  const fleet = await loadFleetForPlan(ctx, cloud)
  const planner: Planner<Kind> = PLANNERS[input.kind]
  const plan = await planner(ctx, { cloud, fleet }, input)
  if (plan.steps.length > MAX_STEPS)
    throw new ServiceError(
      'limit',
      `The plan has ${plan.steps.length} steps, and one change can have at most ${MAX_STEPS}. Select fewer pGPUs.`,
      { field: 'gpus' },
    )
  return { cloud, plan }
}

/** The preview in the form in which it is stored and sent. */
export const previewOf = ({ title: _title, steps: _steps, ...plan }: Plan): ChangePreview => {
  if (plan.kind !== 'traits') return plan
  const { traitsAfter: _, ...preview } = plan
  return preview
}
