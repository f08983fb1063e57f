import { expect, test } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { orphansInSteps, planOrphans } from '@/lib/domain/plans/orphans/plan-orphans'
import { editHosts, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { readPart } from '@/lib/domain/testing/build-cloud'

const UUID = 'c0ffee00-0000-4000-8000-000000000001'

/** A card with an mdev of a type that nova.conf does not list. */
const withOrphan = (): FleetFacts =>
  editHosts(t4Cloud(), (inventory) => {
    const [like] = inventory.mdevs ?? []
    if (like === undefined) throw new Error('the cloud has no mdev')
    return {
      ...inventory,
      mdevs: [...(inventory.mdevs ?? []), { ...like, uuid: UUID, typeId: 'nvidia-230', definition: null }],
    }
  })

const withTraits = (input: FleetFacts, traitsOf: (isRoot: boolean) => string[]): FleetFacts =>
  withFacts(input, {
    providers: readPart(
      (input.facts.providers.value ?? []).map((provider) => ({
        ...provider,
        traits: [...(provider.traits ?? []), ...traitsOf(provider.parentUuid === null)],
      })),
    ),
  })

const plan = (input: FleetFacts) => {
  const fleet = joinFleet(input)
  const gpus = fleet.hosts.flatMap(({ host, pgpus }) =>
    pgpus.map(({ pgpu }) => ({ host: host.name, address: pgpu.address })),
  )
  const { steps, refusals } = planOrphans(fleet, { gpus })
  return {
    removes: steps.some(({ task }) => task.kind === 'remove-mdev' && task.uuid === UUID),
    reasons: refusals.map(({ reason }) => reason).join('\n'),
  }
}

test('an orphan of a provider that Nova owns is removed', () => {
  expect(plan(withOrphan()).removes).toBe(true)
  expect(plan(withTraits(withOrphan(), () => ['OWNER_NOVA'])).removes).toBe(true)
})

test('an orphan of a provider of Cyborg stays', () => {
  const { removes, reasons } = plan(withTraits(withOrphan(), (isRoot) => (isRoot ? [] : ['OWNER_CYBORG'])))
  expect(removes).toBe(false)
  expect(reasons).toContain(`${UUID} stays: Cyborg manages devices of this host`)
})

test('an orphan of a provider without OWNER_NOVA stays where the compute node has it', () => {
  const { removes, reasons } = plan(withTraits(withOrphan(), (isRoot) => (isRoot ? ['OWNER_NOVA'] : [])))
  expect(removes).toBe(false)
  expect(reasons).toMatch(/lacks the trait OWNER_NOVA that its compute node has/)
})

test('a plan has a step per pGPU, so that one of many does not block the process', () => {
  const fleet = joinFleet(withOrphan())
  const gpus = Array.from({ length: 50 }, () => ({ host: 'cmp-1', address: '0000:20:00.0' }))
  const [none, all] = [[], gpus].map((some) => [...orphansInSteps(fleet, { gpus: some })].length)
  expect((all ?? 0) - (none ?? 0)).toBe(50)
})
