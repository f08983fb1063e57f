import type { JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { DEFAULT_TRAIT_RULE } from '@/lib/domain/cloud/type-traits'
import type { SupportedType } from '@/lib/domain/pgpu/types'
import { hostAfter, totalAfter } from '@/lib/domain/plans/host-steps/preview'
import type { HeldPgpu } from '@/lib/domain/plans/host-steps/refuse'
import type { ChangeTarget } from '@/lib/domain/plans/step'
import { draftHosts } from '@/lib/domain/plans/type-change/draft-hosts'
import { vfioHostAfter } from '@/lib/domain/plans/type-change/vfio-preview'
import { formatNoun } from '@/lib/util/format'
import { emptyCard, usedOf } from './empty-card'
import { type AppliedStep, refused, type ScenarioState, type ScenarioStep } from './types'

type TypeStep = Extract<ScenarioStep, { do: 'type' }>
type Card = { joined: JoinedHost; entry: JoinedPgpu; target: ChangeTarget }

const nameOf = ({ host, address }: ChangeTarget): string => `${host} ${address}`
const cards = (count: number): string => formatNoun(count, 'card')

const cardsOnType = ({ fleet, added, retyped }: ScenarioState, typeId: string): Card[] =>
  fleet.hosts
    .filter(({ host }) => !added.has(host.name))
    .flatMap((joined) =>
      joined.pgpus.map((entry) => ({
        joined,
        entry,
        target: { host: joined.host.name, address: entry.pgpu.address },
      })),
    )
    .filter(({ entry, target }) => entry.pgpu.currentType?.typeId === typeId && !retyped.has(nameOf(target)))

/** The least used first, because an unused card needs no moves. Unknown ones come last. */
const byUse = (a: Card, b: Card): number =>
  (a.entry.pgpu.numbers.used.value ?? Number.MAX_SAFE_INTEGER) -
    (b.entry.pgpu.numbers.used.value ?? Number.MAX_SAFE_INTEGER) ||
  (nameOf(a.target) < nameOf(b.target) ? -1 : 1)

type Drafted = {
  hosts: { was: JoinedHost; is: JoinedHost }[]
  targets: ChangeTarget[]
  refusals: { reason: string }[]
}

const withCards = (
  is: JoinedHost,
  given: readonly { entry: JoinedPgpu; to: SupportedType; capacity: number }[],
): JoinedHost => ({
  ...is,
  pgpus: is.pgpus.map((entry) => {
    const own = given.find((each) => each.entry.pgpu.address === entry.pgpu.address)
    return own === undefined
      ? entry
      : { ...entry, pgpu: emptyCard(entry.pgpu, { type: own.to, capacity: own.capacity }) }
  }),
})

/** What the change of the type that the console plans would make of these cards. */
function* draft(
  { fleet }: ScenarioState,
  { gpus, typeId, held }: { gpus: readonly ChangeTarget[]; typeId: string; held: readonly HeldPgpu[] },
): Generator<void, Drafted> {
  const plans = yield* draftHosts(fleet, {
    gpus,
    typeId,
    resourceClass: null,
    rule: DEFAULT_TRAIT_RULE,
    isFlavorLossAccepted: true,
    held,
  })
  const hosts = plans.flatMap(({ draft: mdev, vfio }) => [
    ...(mdev === null
      ? []
      : [
          {
            was: mdev.joined,
            is: withCards(
              hostAfter(mdev),
              mdev.targets.map((target) => ({ ...target, capacity: totalAfter(mdev, target) })),
            ),
            targets: mdev.targets,
          },
        ]),
    ...(vfio === null
      ? []
      : [
          {
            was: vfio.joined,
            is: withCards(
              vfioHostAfter(vfio),
              vfio.targets.map((target) => ({ ...target, capacity: target.keep.length + target.set.length })),
            ),
            targets: vfio.targets,
          },
        ]),
  ])
  return {
    hosts,
    targets: hosts.flatMap(({ was, targets }) =>
      targets.map(({ entry }) => ({ host: was.host.name, address: entry.pgpu.address })),
    ),
    refusals: plans.flatMap(({ refusals }) => refusals),
  }
}

/** What people call a type; its id where no card names it. */
const typeName = ({ fleet }: ScenarioState, typeId: string): string => {
  for (const { pgpus } of fleet.hosts)
    for (const { pgpu } of pgpus) {
      const type = pgpu.supportedTypes?.find((each) => each.typeId === typeId)
      if (type !== undefined) return type.shortName
    }
  return typeId
}

/** The reason that most cards are refused for. */
const mainReason = (refusals: readonly { reason: string }[]): string => {
  const counts = new Map<string, number>()
  for (const { reason } of refusals) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const [first] = [...counts].toSorted((a, b) => b[1] - a[1])
  return first?.[0] ?? 'they already have it'
}

/** Some cards of a type get another one: those that are used least, of the ones that the console could change. */
export function* changeTypes(
  state: ScenarioState,
  { count, from, to }: TypeStep,
  held: readonly HeldPgpu[],
): Generator<void, AppliedStep> {
  const all = cardsOnType(state, from).toSorted(byUse)
  const [fromName, toName] = [typeName(state, from), typeName(state, to)]
  if (from === to) return refused(state, `The cards already have ${toName}. Choose another type.`)
  if (all.length < count)
    return refused(
      state,
      all.length === 0
        ? `No card has ${fromName}. Choose another type.`
        : `Only ${cards(all.length)} have ${fromName}, but ${count} are requested. Enter a smaller number.`,
    )
  const possible = yield* draft(state, { gpus: all.map(({ target }) => target), typeId: to, held })
  const can = new Set(possible.targets.map(nameOf))
  if (can.size < count)
    return refused(
      state,
      `${can.size === 0 ? 'None' : `Only ${can.size}`} of the ${cards(all.length)} with ${fromName} can get ${toName} now: ${mainReason(possible.refusals)}.`,
    )
  const chosen = all.filter(({ target }) => can.has(nameOf(target))).slice(0, count)
  const made = yield* draft(state, { gpus: chosen.map(({ target }) => target), typeId: to, held })
  if (made.targets.length < count)
    return refused(state, `Not all of these cards can get ${toName}: ${mainReason(made.refusals)}.`)
  const after = new Map(made.hosts.map(({ was, is }) => [was.host.name, is]))
  return {
    state: {
      ...state,
      fleet: {
        ...state.fleet,
        hosts: state.fleet.hosts.map((joined) => after.get(joined.host.name) ?? joined),
      },
      retyped: new Set([...state.retyped, ...made.targets.map(nameOf)]),
    },
    outcome: {
      problem: null,
      moving: usedOf(chosen.map(({ entry }) => entry)),
      targets: chosen.map(({ target }) => target),
      text: null,
    },
  }
}
