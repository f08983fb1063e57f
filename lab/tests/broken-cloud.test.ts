import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type Finding, subjectKey } from '@/lib/domain/findings/finding'
import { beforeRelease, onlyOn, type Repair } from './break'
import { expectRepaired, restartOn, runCommand, runInShell } from './expect-repaired'
import { becomesCalm, findInLab } from './lab-fleet'
import { inLongForm } from './long-form'
import { openOperator, waitUntil } from './operator'
import { stopCompute } from './restart-compute'

let operator: Awaited<ReturnType<typeof openOperator>>
beforeAll(async () => {
  operator = await openOperator()
})
afterAll(() => operator.close())

const T4_OF_GPU02 = 'gpu02_pci_0000_84_00_0'
const T4_4Q = 'CUSTOM_GRID_T4_4Q'
const T4_8Q = 'CUSTOM_GRID_T4_8Q'

const uuidOf = async (name: string): Promise<string> => {
  const provider = await operator.providerNamed(name)
  if (provider === null) throw new Error(`Placement has no provider ${name}.`)
  return provider.uuid
}

const serverNamed = async (name: string) => {
  const server = (await operator.nova.listServers()).items.find((each) => each.name === name)
  if (server === undefined) throw new Error(`Nova has no server ${name}.`)
  return server
}

const addFlavor = async (name: string, extraSpecs: Record<string, string>): Promise<Repair> => {
  await operator.createFlavor({ name, vcpus: 1, ram: 1024, disk: 5 }, extraSpecs)
  return () => operator.deleteFlavor(name)
}

/** Runs the command, then those of the flavor's next findings: with a group_policy, an older Nova creates one vGPU only. */
const followAll = async (finding: Finding): Promise<void> => {
  await runCommand(finding)
  const subject = subjectKey(finding.subject)
  for (const next of (await findInLab()).findings)
    if (subjectKey(next.subject) === subject && next.command !== null) await runCommand(next)
}

describe('a flavor', () => {
  const change = (set: string[], unset: string[]) => async (finding: Finding) => {
    const id = finding.subject.kind === 'flavor' ? finding.subject.id : ''
    const options = (specs: string[]) => specs.map((spec) => `--property '${spec}'`).join(' ')
    if (set.length > 0) await runInShell(`openstack flavor set ${options(set)} ${id}`, '')
    if (unset.length > 0) await runInShell(`openstack flavor unset ${options(unset)} ${id}`, '')
  }
  const TWO = {
    'resources1:VGPU': '1',
    [`trait1:${T4_4Q}`]: 'required',
    'resources2:VGPU': '1',
    [`trait2:${T4_4Q}`]: 'required',
  }

  it.each<{ code: string; specs: Record<string, string>; follow?: (finding: Finding) => Promise<void> }>([
    { code: 'flavor-trait-suffix', specs: { 'resources1:VGPU': '1', [`trait:${T4_4Q}`]: 'required' } },
    {
      code: 'flavor-trait-unknown',
      specs: {
        'resources:VGPU': '1',
        [`trait:${T4_4Q}`]: 'required',
        'trait:CUSTOM_OF_NOTHING': 'required',
      },
    },
    {
      code: 'flavor-class-without-inventory',
      specs: { 'resources:CUSTOM_OF_NOTHING': '1' },
      follow: change([`resources:VGPU=1`, `trait:${T4_4Q}=required`], ['resources:CUSTOM_OF_NOTHING']),
    },
    { code: 'flavor-group-policy-missing', specs: TWO, follow: followAll },
    { code: 'flavor-value-ignored', specs: { 'resources:VGPU': 'vgpu:1', [`trait:${T4_4Q}`]: 'required' } },
    {
      code: 'flavor-value-refused',
      specs: {
        'resources:VGPU': '1',
        [`trait:${T4_4Q}`]: 'required',
        'hw:pci_numa_affinity_policy': 'prefered',
      },
    },
    {
      code: 'flavor-lands-nowhere',
      specs: { 'resources:VGPU': '1', [`trait:${T4_4Q}`]: 'required', [`trait:${T4_8Q}`]: 'required' },
      follow: async (finding) => {
        await runCommand(finding)
        await change([], [`trait:${T4_8Q}`])(finding)
      },
    },
    {
      code: 'types-not-told-apart',
      specs: { 'resources:VGPU': '1' },
      follow: change([`trait:${T4_4Q}=required`], []),
    },
  ])('is found by $code', async ({ code, specs, follow }) => {
    const name = `wrong.${code}`
    await expectRepaired(operator, {
      code,
      sourceToCorrect: 'nova',
      about: name,
      break: () => addFlavor(name, specs),
      ...(follow === undefined ? {} : { follow }),
    })
  })

  const firstOnly = beforeRelease('2026.1', 'Nova 33 creates the vGPUs of all request groups')
  it.skipIf(firstOnly.isSkipped)(
    `is found that requests two vGPUs of two cards${firstOnly.note}`,
    async () => {
      const name = 'wrong.two-vgpus'
      await expectRepaired(operator, {
        code: 'flavor-first-vgpu-only',
        sourceToCorrect: 'nova',
        about: name,
        fields: { subject: { kind: 'flavor', name } },
        break: () => addFlavor(name, { ...TWO, group_policy: 'isolate' }),
      })
    },
  )
})

describe('limits', () => {
  const withLimits = async () => {
    const { limits } = operator.account.keystone
    const tokenId = (await operator.account.token('system')).id
    const serviceId = (await operator.account.novaEndpointIds())?.serviceId ?? ''
    const { items } = await limits.list({ tokenId, serviceId, resourceName: 'class:VGPU' })
    return { limits, tokenId, serviceId, own: items }
  }

  const changeFirst = (resourceLimit: number) => async (): Promise<Repair> => {
    const { limits, tokenId, own } = await withLimits()
    const [first] = own
    if (first === undefined) throw new Error('Keystone has no project limit of class:VGPU.')
    await limits.update({ tokenId, id: first.id, resourceLimit })
    return async () => {
      await limits.update({ tokenId, id: first.id, resourceLimit: first.resourceLimit })
    }
  }

  const older = onlyOn('zed', '-1 is unlimited from Nova 31 on')
  it.skipIf(older.isSkipped)(`are found at -1${older.note}`, async () => {
    await expectRepaired(operator, {
      code: 'limit-minus-one',
      sourceToCorrect: 'keystone',
      about: '-1',
      // What was meant to be unlimited is more than there is.
      opens: ['limit-sum-over-capacity'],
      break: changeFirst(-1),
    })
  })

  it('are found when they report more than there is', async () => {
    await expectRepaired(operator, {
      code: 'limit-sum-over-capacity',
      sourceToCorrect: null,
      about: 'class:VGPU',
      break: changeFirst(1000),
      follow: async () => {
        const [first] = (await withLimits()).own
        await runInShell(`openstack limit set --resource-limit 1 ${first?.id}`, '')
      },
    })
  })

  it('are found missing', async () => {
    await expectRepaired(operator, {
      code: 'limit-class-not-registered',
      sourceToCorrect: 'keystone',
      about: 'class:VGPU',
      break: async () => {
        const { limits, tokenId, serviceId, own } = await withLimits()
        const { items } = await limits.listRegistered({ tokenId, serviceId, resourceName: 'class:VGPU' })
        const [registered] = items
        if (registered === undefined) throw new Error('Keystone has no registered limit of class:VGPU.')
        for (const { id } of own) await limits.remove({ tokenId, id })
        await limits.removeRegistered({ tokenId, id: registered.id })
        const limitKey = { serviceId, regionId: registered.regionId, resourceName: 'class:VGPU' }
        return async () => {
          const now = await limits.listRegistered({ tokenId, serviceId, resourceName: 'class:VGPU' })
          for (const { id } of now.items) await limits.removeRegistered({ tokenId, id })
          await limits.createRegistered({
            tokenId,
            limits: [{ ...limitKey, defaultLimit: registered.defaultLimit }],
          })
          const before = own.map(({ projectId, resourceLimit }) => ({
            ...limitKey,
            projectId: projectId ?? '',
            resourceLimit,
          }))
          await limits.create({ tokenId, limits: before })
        }
      },
    })
  })
})

describe('servers and their allocations', () => {
  /** Writes other allocations for lab-t4, which runs on gpu01. */
  const changeAllocations =
    (
      change: (
        before: Record<string, Record<string, number>>,
      ) => Promise<Record<string, Record<string, number>>>,
    ) =>
    async (): Promise<Repair> => {
      const { uuid: consumerUuid } = await serverNamed('lab-t4')
      const write = async (allocations: Record<string, Record<string, number>>) => {
        const { projectId, userId, consumerGeneration } = await operator.placement.getConsumer(consumerUuid)
        await operator.placement.putConsumer({
          consumerUuid,
          allocations,
          projectId: projectId ?? owner.projectId,
          userId: userId ?? owner.userId,
          consumerGeneration,
        })
      }
      const held = await operator.placement.getConsumer(consumerUuid)
      const owner = { projectId: held.projectId ?? '', userId: held.userId ?? '' }
      const before: Record<string, Record<string, number>> = {}
      for (const { providerUuid, resources } of held.allocations) before[providerUuid] = { ...resources }
      const after = await change(before)
      if (Object.keys(after).length === 0) await operator.placement.deleteConsumer(consumerUuid)
      else await write(after)
      return () => write(before)
    }

  it('are found without an allocation', async () => {
    await expectRepaired(operator, {
      code: 'server-without-allocation',
      sourceToCorrect: 'placement',
      about: 'lab-t4',
      break: changeAllocations(async () => ({})),
    })
  })

  it('are found without an allocation of their vGPU', async () => {
    await expectRepaired(operator, {
      code: 'server-without-allocation',
      sourceToCorrect: 'placement',
      about: 'lab-t4',
      break: changeAllocations(async (before) =>
        Object.fromEntries(Object.entries(before).filter(([, { VGPU }]) => VGPU === undefined)),
      ),
    })
  })

  it('are found with an allocation on a host where they are not', async () => {
    await expectRepaired(operator, {
      code: 'allocation-without-guest',
      sourceToCorrect: 'placement',
      about: T4_OF_GPU02,
      break: changeAllocations(async (before) => ({ ...before, [await uuidOf(T4_OF_GPU02)]: { VGPU: 1 } })),
    })
  })
})

describe('a host', () => {
  it.each([
    {
      how: 'disabled',
      code: 'vgpus-stranded',
      broken: { status: 'disabled', disabled_reason: 'lab test' },
      mended: { status: 'enabled' },
      about: 'nova-compute is disabled: lab test',
    },
    {
      how: 'down',
      code: 'nova-compute-down',
      broken: { forced_down: true },
      mended: { forced_down: false },
      about: 'nova-compute is forced down',
    },
  ])('is found with its service $how', async ({ code, broken, mended, about }) => {
    const service = (await operator.nova.listServices()).find(({ host }) => host === 'gpu02')
    const set = async (body: unknown) => {
      await operator.ask('PUT', `/os-services/${service?.id}`, body)
    }
    await expectRepaired(operator, {
      code,
      sourceToCorrect: 'nova',
      about,
      break: async () => {
        await set(broken)
        return () => set(mended)
      },
    })
  })

  inLongForm('is found with a nova-compute that has ended, until it is started again', async () => {
    await expectRepaired(operator, {
      code: 'nova-compute-down',
      sourceToCorrect: 'nova',
      about: 'nova-compute is down since',
      break: async () => {
        stopCompute('gpu02')
        await waitUntil('gpu02 down in Nova', async () =>
          (await operator.nova.listServices()).some(({ host, state }) => host === 'gpu02' && state === 'down')
            ? true
            : null,
        )
      },
    })
  })

  it('is found in an aggregate that Placement does not know', async () => {
    const aggregateSchema = z.object({ aggregate: z.object({ id: z.int(), uuid: z.string() }) })
    await expectRepaired(operator, {
      code: 'aggregate-not-mirrored',
      sourceToCorrect: 'placement',
      about: 'lab-racks',
      break: async () => {
        const body = { aggregate: { name: 'lab-racks' } }
        const { aggregate } = aggregateSchema.parse((await operator.ask('POST', '/os-aggregates', body)).json)
        const act = (action: string) =>
          operator.ask('POST', `/os-aggregates/${aggregate.id}/action`, { [action]: { host: 'gpu02' } })
        await act('add_host')
        const root = await uuidOf('gpu02')
        const { generation, aggregateUuids } = await operator.placement.getAggregates(root)
        const others = aggregateUuids.filter((each) => each !== aggregate.uuid)
        expect(others).not.toEqual(aggregateUuids)
        await operator.placement.putAggregates(root, { generation, aggregateUuids: others })
        return async () => {
          await act('remove_host')
          await operator.ask('DELETE', `/os-aggregates/${aggregate.id}`)
        }
      },
    })
  })

  it('is found with more vGPUs in Placement than its card holds', async () => {
    await expectRepaired(operator, {
      code: 'placement-over-promises',
      sourceToCorrect: 'placement',
      about: '0000:41:00.0',
      break: async () => {
        const { uuid, generation } = await operator.placement.createProvider({
          uuid: randomUUID(),
          name: 'gpu02_pci_0000_41_01_0',
          parentUuid: await uuidOf('gpu02'),
        })
        const one = { total: 1, reserved: 0, minUnit: 1, maxUnit: 1, stepSize: 1, allocationRatio: 1 }
        await operator.placement.putInventories(uuid, { generation, inventories: { VGPU: one } })
        return async () => {
          if ((await operator.providerNamed('gpu02_pci_0000_41_01_0')) !== null)
            await operator.placement.deleteProvider(uuid)
        }
      },
      // It names providers without a device, which are a finding with a command.
      follow: async () => {
        for (const finding of (await findInLab()).findings)
          if (finding.code === 'provider-without-device') await runCommand(finding)
      },
    })
  })

  it('is found with a total that the hardware does not have', async () => {
    await expectRepaired(operator, {
      code: 'placement-total-old',
      sourceToCorrect: 'placement',
      about: 'gpu02',
      break: async () => {
        const uuid = await uuidOf(T4_OF_GPU02)
        const write = async (total: number) => {
          const { generation, inventories } = await operator.placement.getInventories(uuid)
          const { VGPU } = inventories
          if (VGPU === undefined) throw new Error(`${T4_OF_GPU02} has no VGPU.`)
          const changed = { VGPU: { ...VGPU, total, maxUnit: total } }
          await operator.placement.putInventories(uuid, { generation, inventories: changed })
        }
        await write(8)
        return () => write(4)
      },
      follow: restartOn(operator, 'gpu02'),
    })
  })
})

it('leaves nothing of all that behind', async () => {
  await becomesCalm()
  expect((await findInLab()).unverified).toEqual([])
})
