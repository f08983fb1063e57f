import { DEFAULT_TRAIT_RULE } from '@/lib/domain/cloud/type-traits'
import { pgpusWithOrphans, planOrphans } from '@/lib/domain/plans/orphans/plan-orphans'
import type { ChangeTarget } from '@/lib/domain/plans/step'
import { planTypeChange } from '@/lib/domain/plans/type-change/plan-type-change'
import type { Plan } from '@/lib/domain/plans/types'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { quickTimes, retypeTimes, timesUntil } from './change-times'
import { DAY_MS, HOUR_MS, MINUTE_MS, workingMorning } from './demand'
import { fleetThen } from './fleet-then'
import { RETYPE_MS } from './host-past'
import { storyOf } from './host-stories'
import { cardsThen, heldThen } from './host-then'
import {
  type Cloud,
  contextOf,
  FIRST,
  type HostContext,
  momentOf,
  NOTHING,
  type PastChange,
  SECOND,
  type World,
} from './past-change'

const typeInput = (cloud: Cloud, gpus: ChangeTarget[], typeId: string): PlanChange => ({
  cloud: cloud.name,
  kind: 'type',
  gpus,
  typeId,
  resourceClass: null,
  isFlavorLossAccepted: true,
  testBoot: null,
})

const planType = async (
  context: HostContext,
  {
    cloud,
    at,
    gpus,
    typeId,
    configured,
  }: {
    cloud: Cloud
    at: number
    gpus: ChangeTarget[]
    typeId: string
    configured: ReadonlyMap<string, string>
  },
): Promise<Plan> =>
  planTypeChange(await fleetThen([momentOf(context, at, configured)], { at, cloud }), {
    gpus,
    typeId,
    resourceClass: null,
    isFlavorLossAccepted: true,
    rule: DEFAULT_TRAIT_RULE,
    held: [],
    testBoot: null,
  })

type EarlierType = ReturnType<typeof storyOf>['earlierTypes'][number]

/** When the cards of a story had today's type for the first time; null: not within the past. */
const retypedAt = ({ past }: HostContext, { cards, typeId }: EarlierType): number | null => {
  const points = past.points.filter(({ address }) => address === cards[0])
  if (points[0]?.typeId !== typeId) return null
  return points.find((point) => point.typeId !== typeId)?.at ?? null
}

const typeChange = async (
  context: HostContext,
  { cloud, earlier, at }: { cloud: Cloud; earlier: EarlierType; at: number },
): Promise<PastChange[]> => {
  const host = context.host.spec.name
  const gpus = earlier.cards.map((address) => ({ host, address }))
  const typeId = cardsThen(context.past, at + 1).get(earlier.cards[0] ?? '')?.typeId
  if (typeId == null) return []
  const drainedAt = at - RETYPE_MS
  const startedAt = drainedAt - 17 * MINUTE_MS
  const plannedAt = startedAt - 25 * MINUTE_MS
  const configured = new Map(earlier.cards.map((address) => [address, earlier.typeId]))
  const plan = await planType(context, { cloud, at: plannedAt, gpus, typeId, configured })
  if (plan.steps.length === 0) return []
  const doneAt = retypeTimes(plan, { startedAt, drainedAt, retypedAt: at })
  const approval = { by: FIRST, at: startedAt - 6 * MINUTE_MS }
  const input = typeInput(cloud, gpus, typeId)
  return [{ by: SECOND, approval, plannedAt, startedAt, input, plan, doneAt, stopped: null }]
}

/** What an edit of nova.conf left behind is taken away, and the cards take their new type. */
const orphanRemoval = async (
  context: HostContext,
  { cloud, at }: { cloud: Cloud; at: number },
): Promise<PastChange[]> => {
  const startedAt = at - 9 * MINUTE_MS
  const plannedAt = startedAt - 6 * MINUTE_MS
  const fleet = await fleetThen([momentOf(context, plannedAt)], { at: plannedAt, cloud })
  const gpus = pgpusWithOrphans(fleet)
  const plan = planOrphans(fleet, { gpus })
  if (plan.steps.length === 0) return []
  const input: PlanChange = { cloud: cloud.name, kind: 'orphans', gpus: [...gpus] }
  const doneAt = timesUntil(plan, startedAt, at + MINUTE_MS)
  return [{ by: FIRST, approval: null, plannedAt, startedAt, input, plan, doneAt, stopped: null }]
}

/** Changes of the vGPU type that the points of the past tell, and what was left behind of one. */
export const retypings = async (world: World): Promise<PastChange[]> => {
  const changes: PastChange[] = []
  for (const { name } of world.past.hosts) {
    for (const earlier of storyOf(name).earlierTypes) {
      const context = contextOf(world, name)
      const at = context === null ? null : retypedAt(context, earlier)
      if (context === null || at === null) continue
      const { cloud } = world
      const made =
        earlier.leftover === undefined
          ? await typeChange(context, { cloud, earlier, at })
          : await orphanRemoval(context, { cloud, at })
      changes.push(...made)
    }
  }
  return changes
}

/** Bigger slices for one card; its owner needed the server on, so everything was reverted. */
const GIVEN_UP = {
  host: 'cmp-r2-06',
  typeId: 'nvidia-320',
  daysAgo: [33, 34, 35, 36, 40, 41, 42, 43],
} as const
const GIVEN_UP_MS = 2 * HOUR_MS

const holdersThen = ({ past }: HostContext, at: number, address: string): string =>
  heldThen(past, at)
    .filter(({ addresses }) => addresses.includes(address))
    .map(({ uuid }) => uuid)
    .join()

/** A card of the host whose servers stayed over a time; null: there was none. */
const steadyCard = (context: HostContext, at: number): string | null =>
  [...new Set(heldThen(context.past, at).flatMap(({ addresses }) => addresses))]
    .toSorted()
    .findLast(
      (address) => holdersThen(context, at, address) === holdersThen(context, at + GIVEN_UP_MS, address),
    ) ?? null

/** A change of the type that was stopped and reverted. */
export const givenUp = async (world: World): Promise<PastChange[]> => {
  const { host, typeId, daysAgo } = GIVEN_UP
  const context = contextOf(world, host)
  if (context === null) return []
  const mornings = daysAgo.map((days) => workingMorning(world.past.end - days * DAY_MS) + 5 * HOUR_MS)
  const plannedAt = mornings.find((at) => steadyCard(context, at) !== null)
  const address = plannedAt === undefined ? null : steadyCard(context, plannedAt)
  if (plannedAt === undefined || address === null) return []
  const gpus = [{ host, address }]
  const { cloud } = world
  const plan = await planType(context, { cloud, at: plannedAt, gpus, typeId, configured: NOTHING })
  const waits = plan.steps.findIndex(({ task }) => task.kind === 'drain-server')
  const [step] = plan.steps.slice(waits)
  if (waits < 1 || step?.task.kind !== 'drain-server') return []
  const { owner, serverName, typeName } = step.task
  const startedAt = plannedAt + 35 * MINUTE_MS
  return [
    {
      by: SECOND,
      approval: { by: FIRST, at: plannedAt + 20 * MINUTE_MS },
      plannedAt,
      startedAt,
      input: typeInput(cloud, gpus, typeId),
      plan,
      doneAt: quickTimes(plan, startedAt).slice(0, waits),
      stopped: {
        because: `${serverName} of ${owner} is ACTIVE and still holds a vGPU of ${typeName} on ${host}.`,
        wayOut:
          'Ask its owner to delete or shelve it, or migrate it manually. The step then continues automatically.',
        blockedAt: startedAt + MINUTE_MS,
        stoppedAt: startedAt + 52 * MINUTE_MS,
        backAt: startedAt + 55 * MINUTE_MS,
      },
    },
  ]
}
