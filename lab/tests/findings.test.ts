import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guestsStayOff } from '@/lib/domain/findings/cloud/guests-stay-off'
import { LAB_RELEASE } from './lab-cloud'
import { findInLab } from './lab-fleet'
import { openOperator } from './operator'

let operator: Awaited<ReturnType<typeof openOperator>>
beforeAll(async () => {
  operator = await openOperator()
})
afterAll(() => operator.close())

const T4_OF_GPU02 = 'gpu02_pci_0000_84_00_0'
const INVENTORY = { total: 4, reserved: 0, minUnit: 1, maxUnit: 4, stepSize: 1, allocationRatio: 1 }

const found = async (code: string) => (await findInLab()).findings.filter((finding) => finding.code === code)

const uuidOf = async (name: string): Promise<string> => {
  const provider = await operator.providerNamed(name)
  if (provider === null) throw new Error(`Placement has no provider ${name}.`)
  return provider.uuid
}

describe('a healthy lab', () => {
  it('gives no finding, besides what is true of any cloud of that age', async () => {
    const { findings, cannotTell } = await findInLab()
    expect(cannotTell).toEqual([])
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([])
    // Risks without a source to correct: single VFs of an A2, and Zed's libvirt, which live-migrates no mdev and defines none.
    // From 2025.1 on servers survive a reboot, but nova.conf is without resume_guests_state_on_host_boot.
    // docs/findings.md counts the codes written as text; guests-stay-off was not run on 2025.1 yet.
    // biome-ignore format: the page of findings reads the release and its codes from one line.
    const ofRelease = LAB_RELEASE === 'zed' ? ['no-live-migration-target', 'reboot-loses-servers'] : [guestsStayOff.code]
    expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(['multi-create-fails', ...ofRelease]))
    expect(findings.every(({ blame }) => blame === null)).toBe(true)
  })
})

describe('a lab that was broken by hand', () => {
  it('names an allocation without a server', async () => {
    const consumerUuid = randomUUID()
    const { user, scope } = await operator.account.token('project')
    await operator.placement.putConsumer({
      consumerUuid,
      allocations: { [await uuidOf(T4_OF_GPU02)]: { VGPU: 1 } },
      projectId: scope.kind === 'project' ? scope.id : '',
      userId: user.id,
      consumerGeneration: null,
    })
    try {
      const [finding] = await found('allocation-without-server')
      expect(finding).toMatchObject({ blame: 'placement' })
      expect(JSON.stringify(finding)).toContain(consumerUuid)
    } finally {
      await operator.placement.deleteConsumer(consumerUuid)
    }
    expect(await found('allocation-without-server')).toEqual([])
  })

  it('names a provider whose device is gone', async () => {
    const name = 'gpu01_pci_0000_99_00_0'
    const { uuid, generation } = await operator.placement.createProvider({
      uuid: randomUUID(),
      name,
      parentUuid: await uuidOf('gpu01'),
    })
    try {
      await operator.placement.putInventories(uuid, { generation, inventories: { VGPU: INVENTORY } })
      const [finding] = await found('provider-without-device')
      expect(finding).toMatchObject({
        blame: 'placement',
        subject: { kind: 'provider', host: 'gpu01', name },
      })
    } finally {
      await operator.placement.deleteProvider(uuid)
    }
    expect(await found('provider-without-device')).toEqual([])
  })

  it('names a trait of another type than the card has', async () => {
    const uuid = await uuidOf(T4_OF_GPU02)
    const before = await operator.placement.getTraits(uuid)
    const traits = before.traits.map((trait) => (/T4_4Q$/.test(trait) ? 'CUSTOM_GRID_T4_8Q' : trait))
    await operator.placement.putTraits(uuid, { ...before, traits })
    try {
      const [finding] = await found('trait-names-other-type')
      expect(finding).toMatchObject({ blame: 'placement', subject: { host: 'gpu02' } })
      expect(finding?.sentence).toContain('CUSTOM_GRID_T4_8Q')
    } finally {
      const { generation } = await operator.placement.getTraits(uuid)
      await operator.placement.putTraits(uuid, { generation, traits: before.traits })
    }
    expect(await found('trait-names-other-type')).toEqual([])
  })

  it('names a registered limit without a region', async () => {
    const { limits } = operator.account.keystone
    const tokenId = (await operator.account.token('system')).id
    const serviceId = (await operator.account.novaEndpointIds())?.serviceId ?? ''
    const [made] = await limits.createRegistered({
      tokenId,
      limits: [{ serviceId, regionId: null, resourceName: 'class:VGPU', defaultLimit: 4 }],
    })
    try {
      const [finding] = await found('limit-region-null')
      expect(finding).toMatchObject({ blame: 'keystone', subject: { resourceName: 'class:VGPU' } })
    } finally {
      await limits.removeRegistered({ tokenId, id: made?.id ?? '' })
    }
    expect(await found('limit-region-null')).toEqual([])
  })
})
