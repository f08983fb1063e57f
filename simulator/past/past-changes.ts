import { DEFAULT_TRAIT_RULE } from '@/lib/domain/cloud/type-traits'
import { limitTable } from '@/lib/domain/limits/limit-view'
import { planLimits } from '@/lib/domain/plans/limits/plan-limits'
import { planTraits } from '@/lib/domain/plans/traits/plan-traits'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { quickTimes, timesUntil } from './change-times'
import { DAY_MS, HOUR_MS, MINUTE_MS, workingMorning } from './demand'
import { fleetThen } from './fleet-then'
import { storyOf } from './host-stories'
import { cardsThen } from './host-then'
import {
  contextOf,
  FIRST,
  type HostContext,
  momentOf,
  type PastChange,
  SECOND,
  type World,
} from './past-change'
import { givenUp, retypings } from './retype-changes'
import type { PastLimit } from './types'

/** Hosts whose providers got the traits of their types, some days after they came. */
const TAGGED: readonly { hosts: readonly string[]; daysAgo: number; by: string }[] = [
  { hosts: ['cmp-r1-01', 'cmp-r1-02'], daysAgo: 338, by: FIRST },
  { hosts: ['cmp-r3-01', 'cmp-r2-05'], daysAgo: 262, by: SECOND },
  { hosts: ['cmp-r1-06', 'cmp-r1-07'], daysAgo: 160, by: FIRST },
  { hosts: ['cmp-r1-08'], daysAgo: 90, by: SECOND },
  { hosts: ['cmp-r2-06'], daysAgo: 72, by: SECOND },
]

/** The types that nova.conf gave cards at a moment in addition to today's. */
const configuredThen = ({ past, host }: HostContext, at: number): ReadonlyMap<string, string> => {
  const cards = cardsThen(past, at)
  const earlier = storyOf(host.spec.name).earlierTypes.flatMap(({ cards: named, typeId }) =>
    named
      .filter((address) => cards.get(address)?.typeId === typeId)
      .map((address) => [address, typeId] as const),
  )
  return new Map(earlier)
}

const tagging = async (world: World): Promise<PastChange[]> => {
  const changes: PastChange[] = []
  for (const { hosts, daysAgo, by } of TAGGED) {
    const at = workingMorning(world.past.end - daysAgo * DAY_MS) + 3 * HOUR_MS
    const contexts = hosts.flatMap((name) => contextOf(world, name) ?? [])
    if (at < world.past.begin || contexts.length === 0) continue
    const { cloud } = world
    const moments = contexts.map((context) => momentOf(context, at, configuredThen(context, at)))
    const fleet = await fleetThen(moments, { at, cloud, isTagged: false })
    const gpus = fleet.hosts.flatMap(({ host, pgpus }) =>
      pgpus.map(({ pgpu }) => ({ host: host.name, address: pgpu.address })),
    )
    const plan = planTraits(fleet, { gpus, rule: DEFAULT_TRAIT_RULE, isManaged: false })
    if (plan.steps.length === 0) continue
    const startedAt = at + 4 * MINUTE_MS
    const input: PlanChange = { cloud: cloud.name, kind: 'traits', gpus, rule: DEFAULT_TRAIT_RULE }
    const doneAt = quickTimes(plan, startedAt)
    changes.push({ by, approval: null, plannedAt: at, startedAt, input, plan, doneAt, stopped: null })
  }
  return changes
}

const RESOURCE = 'class:VGPU'

const limitChange = async (
  { cloud }: World,
  { at, raised, before }: { at: number; raised: readonly PastLimit[]; before: ReadonlyMap<string, number> },
): Promise<PastChange[]> => {
  const startedAt = at - 25_000
  const plannedAt = startedAt - 2 * MINUTE_MS
  const limits = [...before].map(([projectId, value]) => ({ projectId, value }))
  const fleet = await fleetThen([], { at: plannedAt, cloud, limits })
  const view = limitTable(fleet)
  if (view === null) return []
  const inputs = raised.map(({ projectId, value }) => ({ resourceName: RESOURCE, projectId, value }))
  const uses = new Map(
    raised.map(({ projectId, used }) => [projectId, { usages: { VGPU: used }, because: null }]),
  )
  const plan = planLimits(fleet, {
    view,
    wishes: inputs,
    uses,
    grant: null,
    isSetUp: false,
    configs: [],
    removesStrays: false,
  })
  const by = raised.length > 1 || (raised[0]?.used ?? 0) % 2 === 0 ? FIRST : SECOND
  const input: PlanChange = { cloud: cloud.name, kind: 'limits', limits: inputs }
  const doneAt = timesUntil(plan, startedAt, at - 5000)
  return [{ by, approval: null, plannedAt, startedAt, input, plan, doneAt, stopped: null }]
}

const limitRaises = async (world: World): Promise<PastChange[]> => {
  const changes: PastChange[] = []
  const before = new Map<string, number>()
  for (const at of new Set(world.past.limits.map((limit) => limit.at))) {
    const raised = world.past.limits.filter((limit) => limit.at === at)
    changes.push(...(await limitChange(world, { at, raised, before })))
    for (const { projectId, value } of raised) before.set(projectId, value)
  }
  return changes
}

/** What admins did in a past, as the product's own planning makes it of the hosts as they then were; in the order of the plans. */
export const makePastChanges = async (world: World): Promise<PastChange[]> => {
  const parts = [retypings, tagging, limitRaises, givenUp]
  const made: PastChange[] = []
  for (const part of parts) made.push(...(await part(world)))
  return made.toSorted((a, b) => a.plannedAt - b.plannedAt)
}
