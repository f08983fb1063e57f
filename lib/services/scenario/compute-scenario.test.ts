import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScenarioInput } from '@/lib/schemas/api/scenario-inputs'
import { scenarioResultSchema } from '@/lib/schemas/api/scenario-result'
import { createFlavorWorld } from '@/lib/services/flavor/testing/flavor-world'
import { addPrice } from '@/lib/services/price/add-price'
import { READER, TENANT } from '@/lib/services/testing/service-world'
import { computeScenario } from './compute-scenario'

const { openstack, opened, openCloud, read, ctx } = createFlavorWorld()

describe('a cloud that was read', () => {
  let close: () => Promise<void>
  beforeAll(async () => {
    close = await openCloud()
    await read()
    await opened().reading.readRound()
  })
  afterAll(() => close())

  const ask = (steps: ScenarioInput['steps']) =>
    computeScenario(ctx(READER), { cloud: opened().cloud.name, steps })

  test('without steps nothing changes, and the choices are listed', async () => {
    const answer = await ask([])
    expect(scenarioResultSchema.parse(answer)).toEqual(answer)
    expect(answer.outcomes).toEqual([])
    for (const { capacity, cards } of answer.types)
      expect([capacity.after, cards.after]).toEqual([capacity.before, cards.before])
    for (const { used } of answer.aggregates) expect(used.after).toBe(used.before)
    expect(answer.flavors?.find(({ name }) => name === 'vgpu.t4-4q')?.fits).toEqual({ before: 6, after: 6 })
    expect(answer.choices.types.find(({ name }) => name === 'T4-4Q')).toMatchObject({ typeId: 'nvidia-232' })
    expect(answer.choices.hosts.map(({ name }) => name)).toContain('cmp-r2-08')
  })

  test('a host more of the same build takes as many servers as it has empty', async () => {
    const answer = await ask([{ do: 'add', count: 1, like: 'cmp-r2-08' }])
    const type = answer.types.find(({ label }) => label === 'T4-4Q')
    expect(type).toMatchObject({ key: 'nvidia-232' })
    expect((type?.capacity.after ?? 0) - (type?.capacity.before ?? 0)).toBeGreaterThan(0)
    const flavor = answer.flavors?.find(({ name }) => name === 'vgpu.t4-4q')
    expect(flavor?.fits.after).toBeGreaterThan(6)
    expect(answer.outcomes[0]?.text).toMatch(/^1 host like cmp-r2-08, each with:\n- \d x /)
  })

  test('a host that is taken away leaves its servers to move and nothing for its flavor', async () => {
    const answer = await ask([{ do: 'remove', hosts: ['cmp-r2-08'] }])
    expect(answer.outcomes[0]?.moving).toBeGreaterThan(0)
    expect(answer.flavors?.find(({ name }) => name === 'vgpu.t4-4q')?.fits).toEqual({ before: 6, after: 0 })
  })

  test('new hosts with cards of the table have a type and a price', async () => {
    const { cloud } = opened()
    const today = ctx().now().toISOString().slice(0, 10)
    await addPrice(ctx(), {
      body: {
        ...{ cloud: cloud.name, model: 'NVIDIA L40S', typeName: 'L40S-12Q' },
        ...{ amount: '0.50', currency: 'EUR', validFrom: today },
      },
    })
    const without = await ask([])
    const step = {
      ...{ do: 'new' as const, count: 2, cards: 2, model: 'NVIDIA L40S', typeName: 'L40S-12Q' },
      ...{ vcpus: 64, memoryGib: 512, diskGib: 1000, aggregate: null, date: '2027-01-15' },
    }
    const answer = await ask([step])
    expect(scenarioResultSchema.parse(answer)).toEqual(answer)
    const type = answer.types.find(({ label }) => label === 'L40S-12Q')
    expect((type?.capacity.after ?? 0) - (type?.capacity.before ?? 0)).toBe(16)
    expect(answer.outcomes[0]?.perMonth).toEqual({
      amounts: [{ amount: '5840.00', currency: 'EUR' }],
      unpricedCards: 0,
      because: null,
    })
    expect(answer.perMonth).toEqual(answer.outcomes[0]?.perMonth)
    const card = answer.choices.cards.find(({ types }) => types.includes('L40S-12Q'))
    expect(card?.model).toBe('NVIDIA L40S')
    expect(without.perMonth).toEqual({ amounts: [], unpricedCards: 0, because: null })
  })

  test('an impossible step is stated, and the other steps apply', async () => {
    const answer = await ask([
      { do: 'type', count: 100, from: 'nvidia-232', to: 'nvidia-231' },
      { do: 'add', count: 1, like: 'cmp-r2-08' },
    ])
    expect(answer.outcomes[0]?.problem).toMatch(/^Only \d+ cards have T4-4Q, but 100 are requested/)
    expect(answer.outcomes[1]?.problem).toBeNull()
  })

  test('a tenant is refused, and so is a step without a count', async () => {
    await expect(computeScenario(ctx(TENANT), { cloud: null, steps: [] })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(ask([{ do: 'add', count: 0, like: 'cmp-r2-08' }])).rejects.toMatchObject({
      code: 'validation',
    })
  })
})

test('all flavors are counted, also those on later pages of the list, and those that change most are listed', async () => {
  const close = await openCloud()
  const { flavors } = openstack().cloud.nova
  const [first] = flavors.filter(({ name }) => name === 'vgpu.t4-4q')
  if (first === undefined) throw new Error('the cloud has no flavor vgpu.t4-4q')
  const count = flavors.length
  try {
    for (let n = 0; n < 120; n += 1) flavors.push({ ...first, id: `more-${n}`, name: `more-${n}` })
    await read()
    await opened().reading.readRound()
    const ask = (steps: ScenarioInput['steps']) =>
      computeScenario(ctx(READER), { cloud: opened().cloud.name, steps })
    const still = await ask([])
    expect(still.flavors).toHaveLength(100)
    expect(still.flavorCount).toBeGreaterThan(120)
    const isMore = ({ name }: { name: string }) => name.startsWith('more-')
    const changed = await ask([{ do: 'add', count: 1, like: 'cmp-r2-08' }])
    const listed = changed.flavors?.filter(isMore) ?? []
    expect(listed.length).toBeGreaterThan(90)
    expect(listed.every(({ fits }) => fits.after > fits.before)).toBe(true)
  } finally {
    flavors.length = count
    await close()
  }
})

test('before the first reading round nothing can be tried', async () => {
  const close = await openCloud()
  try {
    const answer = computeScenario(ctx(READER), { cloud: opened().cloud.name, steps: [] })
    await expect(answer).rejects.toMatchObject({ code: 'precondition' })
  } finally {
    await close()
  }
})
