import 'server-only'
import { isGpuClass } from '@/lib/domain/fit/extra-spec-keys'
import { ONBOARDING_STEPS, type Onboarding, type OnboardingStep } from '@/lib/schemas/api/onboarding'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud } from '@/lib/services/cloud-reading/facts-of-cloud'

const CLASS = 'class:'

/** A limit of a GPU class, registered or of a project. */
const hasLimits = async (ctx: ServiceContext, cloud: Cloud): Promise<boolean> => {
  const limits = (await factsOfCloud(ctx, cloud))?.facts.limits.value
  return [...(limits?.registered ?? []), ...(limits?.project ?? [])].some(
    ({ resourceName }) => resourceName.startsWith(CLASS) && isGpuClass(resourceName.slice(CLASS.length)),
  )
}

/** One was acknowledged, muted or resolved, or none is open. */
const areFindingsReviewed = async (
  { database: { prisma } }: ServiceContext,
  cloudId: number,
): Promise<boolean> => {
  const [open, seen, muted] = await Promise.all([
    prisma.finding.count({ where: { cloudId, closedAt: null } }),
    prisma.finding.count({
      where: { cloudId, OR: [{ closedAt: { not: null } }, { acknowledgedBy: { not: null } }] },
    }),
    prisma.findingMute.count({ where: { cloudId } }),
  ])
  return open === 0 || seen > 0 || muted > 0
}

/** What of the set-up of a cloud is done, computed from its state. */
export const getOnboarding = async (ctx: ServiceContext, input: CloudScope): Promise<Onboarding> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const { prisma } = ctx.database
  const [hosts, areReviewed, areLimitsSet, webhooks] = await Promise.all([
    prisma.host.count({ where: { cloudId: cloud.id, removedAt: null, reportedAt: { not: null } } }),
    areFindingsReviewed(ctx, cloud.id),
    hasLimits(ctx, cloud),
    prisma.webhook.count({ where: { cloudId: cloud.id, isEnabled: true } }),
  ])
  const isDone: Record<OnboardingStep, boolean> = {
    cloud: ctx.accounts.some((account) => account.cloud === cloud.name),
    hosts: hosts > 0,
    findings: hosts > 0 && areReviewed,
    limits: areLimitsSet,
    notifications: webhooks > 0,
  }
  return { cloud: cloud.name, steps: ONBOARDING_STEPS.map((step) => ({ step, isDone: isDone[step] })) }
}
