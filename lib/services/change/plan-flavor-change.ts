import 'server-only'
import { createHash } from 'node:crypto'
import type * as z from 'zod'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { draftFlavors, type FlavorInput } from '@/lib/domain/plans/flavor/draft-flavors'
import { type FlavorPlan, planFlavors } from '@/lib/domain/plans/flavor/plan-flavors'
import type { PlacementPreview } from '@/lib/domain/plans/flavor/preview'
import { withAggregate } from '@/lib/domain/plans/flavor-steps/draft-aggregate'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { planFlavorSchema } from '@/lib/schemas/api/change-inputs'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { previewPlacement } from '@/lib/services/fit/preview-placement'

type Input = z.output<typeof planFlavorSchema>
type Scope = { cloud: Cloud; fleet: Fleet }

/**
 * The id is the same for the same name in the same cloud, so that a repeated plan is equal. Version 5 of RFC 9562.
 */
const flavorIdOf = ({ name: cloud }: Cloud, name: string): string => {
  const hex = createHash('sha1').update(`sliceboard flavor\n${cloud}\n${name}`).digest('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/**
 * The projects with access to the flavors, as Nova reports them now; a flavor that Nova does not report is missing.
 */
const readAccess = async (
  ctx: ServiceContext,
  { cloud, fleet }: Scope,
  flavorIds: readonly string[],
): Promise<Map<string, readonly string[]>> => {
  const access = new Map<string, readonly string[]>()
  const account = ctx.accounts.find((one) => one.cloud === cloud.name)
  const closed = (fleet.input.facts.flavors.value ?? []).filter(
    ({ id, isPublic }) => !isPublic && flavorIds.includes(id),
  )
  if (account === undefined) return access
  const nova = createNova({ account })
  for (const { id } of closed) {
    try {
      access.set(id, await nova.listFlavorAccess(id))
    } catch (error) {
      if (!isOpenStackError(error)) throw error
    }
  }
  return access
}

const resolveInput = async (ctx: ServiceContext, scope: Scope, { input }: Input): Promise<FlavorInput> => {
  if (input.do === 'create') return { ...input, flavorId: flavorIdOf(scope.cloud, input.flavor.name) }
  const isAboutAccess = input.grant.length + input.revoke.length > 0
  return {
    ...input,
    description: input.description,
    aggregate: input.aggregate ?? null,
    access: isAboutAccess ? await readAccess(ctx, scope, input.flavorIds) : new Map(),
  }
}

/**
 * A plan for flavors: queries Placement for the possible hosts of each flavor, with the query that Nova would send.
 */
export const planFlavorChange = async (
  ctx: ServiceContext,
  scope: Scope,
  input: Input,
): Promise<FlavorPlan> => {
  const { flavors } = scope.fleet.input.facts
  if (flavors.value === null)
    throw new ServiceError(
      'unavailable',
      `Nova's flavors of cloud "${scope.cloud.name}" could not be read: ${flavors.error}`,
    )
  const resolved = await resolveInput(ctx, scope, input)
  const drafts = draftFlavors(scope.fleet, resolved)
  const { tie } = drafts
  const fleet = tie === null ? scope.fleet : withAggregate(scope.fleet, tie)
  const landings = new Map<string, PlacementPreview>()
  for (const { before, after } of drafts.drafts) {
    if (before !== null && JSON.stringify(before.extraSpecs) === JSON.stringify(after.extraSpecs)) continue
    landings.set(after.id, await previewPlacement(ctx, { ...scope, fleet, flavor: after }))
  }
  const { isNoMatchAccepted } = input
  return planFlavors(scope.fleet, { drafts, landings, input: resolved, isNoMatchAccepted })
}
