import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guestsStayOff } from '@/lib/domain/findings/cloud/guests-stay-off'
import { fromRelease } from './break'
import { expectRepaired, restartOn, runCommand } from './expect-repaired'
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

const uuidOf = async (name: string): Promise<string> => {
  const provider = await operator.providerNamed(name)
  if (provider === null) throw new Error(`Placement has no provider ${name}.`)
  return provider.uuid
}

const allocate = async (consumerUuid: string, allocations: Record<string, { VGPU: number }>) => {
  const { user, scope } = await operator.account.token('project')
  await operator.placement.putConsumer({
    consumerUuid,
    allocations,
    projectId: scope.kind === 'project' ? scope.id : '',
    userId: user.id,
    consumerGeneration: null,
  })
}

/** Placement answers 404 for a consumer without any. */
const deleteAllocations = async (consumerUuid: string): Promise<void> => {
  const { allocations } = await operator.placement.getConsumer(consumerUuid)
  if (allocations.length > 0) await operator.placement.deleteConsumer(consumerUuid)
}

const newer = fromRelease('2025.1', 'Nova 30 and newer start the mdevs of the servers again')

describe('a healthy lab', () => {
  it('gives no finding, except what is true of any cloud of that age', async () => {
    const { findings, unverified } = await findInLab()
    expect(unverified).toEqual([])
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([])
    // Risks without a source to correct: single VFs of an A2, and Zed's libvirt, which live-migrates no mdev and defines none.
    // From 2025.1 on servers survive a reboot, but nova.conf is without resume_guests_state_on_host_boot.
    // biome-ignore format: the page of findings reads the release and its codes from one line.
    const ofRelease = LAB_RELEASE === 'zed' ? ['no-live-migration-target', 'reboot-loses-servers'] : [guestsStayOff.code]
    expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(['multi-create-fails', ...ofRelease]))
    expect(findings.every(({ sourceToCorrect }) => sourceToCorrect === null)).toBe(true)
  })

  // For docs/findings.md, which reads the release of a code from its test.
  it.skipIf(newer.isSkipped)(
    `notes that guests stay off after a reboot of their host${newer.note}`,
    async () => {
      const { findings } = await findInLab()
      expect(findings.map(({ code }) => code)).toContain('guests-stay-off')
    },
  )
})

const addProvider = async (name: string): Promise<string> => {
  const parentUuid = await uuidOf('gpu01')
  const { uuid, generation } = await operator.placement.createProvider({
    uuid: randomUUID(),
    name,
    parentUuid,
  })
  await operator.placement.putInventories(uuid, { generation, inventories: { VGPU: INVENTORY } })
  return uuid
}

describe('a lab that was broken by hand', () => {
  it('has an allocation without a server, until the allocation is deleted', async () => {
    const consumerUuid = randomUUID()
    await expectRepaired(operator, {
      code: 'allocation-without-server',
      sourceToCorrect: 'placement',
      about: consumerUuid,
      break: async () => {
        await allocate(consumerUuid, { [await uuidOf(T4_OF_GPU02)]: { VGPU: 1 } })
        return () => deleteAllocations(consumerUuid)
      },
    })
  })

  it.each([0, 1])('has a provider without a device and %i allocated, until it is deleted', async (used) => {
    const name = 'gpu01_pci_0000_99_00_0'
    const consumerUuid = randomUUID()
    await expectRepaired(operator, {
      code: 'provider-without-device',
      sourceToCorrect: 'placement',
      about: name,
      fields: { subject: { kind: 'provider', host: 'gpu01', name } },
      break: async () => {
        const uuid = await addProvider(name)
        if (used > 0) await allocate(consumerUuid, { [uuid]: { VGPU: used } })
        return async () => {
          await deleteAllocations(consumerUuid)
          if ((await operator.providerNamed(name)) !== null) await operator.placement.deleteProvider(uuid)
        }
      },
    })
  })

  it('has a provider without a device that nova-compute knows, until it is deleted and nova-compute restarted', async () => {
    const name = 'gpu01_pci_0000_98_00_0'
    const restart = restartOn(operator, 'gpu01')
    await expectRepaired(operator, {
      code: 'provider-without-device',
      sourceToCorrect: 'placement',
      about: name,
      break: async () => {
        await addProvider(name)
        await restart()
      },
      follow: async (finding) => {
        await runCommand(finding)
        await restart()
      },
    })
    await operator.bootServer({ name: 'lab-after', flavor: 'cpu.small', host: 'gpu01' })
    await operator.deleteServer('lab-after')
  })

  it('has a trait of another type than the card has, until it is replaced', async () => {
    await expectRepaired(operator, {
      code: 'trait-names-other-type',
      sourceToCorrect: 'placement',
      about: 'CUSTOM_GRID_T4_8Q',
      fields: { subject: { host: 'gpu02' }, sentence: expect.stringContaining('CUSTOM_GRID_T4_8Q') },
      break: async () => {
        const uuid = await uuidOf(T4_OF_GPU02)
        const before = await operator.placement.getTraits(uuid)
        const traits = before.traits.map((trait) => (/T4_4Q$/.test(trait) ? 'CUSTOM_GRID_T4_8Q' : trait))
        await operator.placement.putTraits(uuid, { ...before, traits })
        return async () => {
          const { generation } = await operator.placement.getTraits(uuid)
          await operator.placement.putTraits(uuid, { generation, traits: before.traits })
        }
      },
    })
  })

  it('has a registered limit without a region, until it is deleted', async () => {
    await expectRepaired(operator, {
      code: 'limit-region-null',
      sourceToCorrect: 'keystone',
      about: 'class:VGPU',
      fields: { subject: { kind: 'limit', resourceName: 'class:VGPU' } },
      break: async () => {
        const { limits } = operator.account.keystone
        const tokenId = (await operator.account.token('system')).id
        const serviceId = (await operator.account.novaEndpointIds())?.serviceId ?? ''
        const [made] = await limits.createRegistered({
          tokenId,
          limits: [{ serviceId, regionId: null, resourceName: 'class:VGPU', defaultLimit: 4 }],
        })
        return async () => {
          const { items } = await limits.listRegistered({ tokenId, serviceId, resourceName: 'class:VGPU' })
          if (items.some(({ id }) => id === made?.id))
            await limits.removeRegistered({ tokenId, id: made?.id ?? '' })
        }
      },
    })
  })
})
